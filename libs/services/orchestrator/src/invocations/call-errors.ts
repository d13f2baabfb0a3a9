import type { JsonObject, RunError } from '@palimpsest/contracts';
import type { ModelError, PalimpsestError } from '@palimpsest/kernel';

/** Errors of nodes that a model answers. They tell names, codes and numbers, and nothing that a model said. */
export function callError(code: string, message: string, details?: JsonObject): RunError {
  return { code, message, ...(details && { details: details as NonNullable<RunError['details']> }) };
}

export const refusalError = (): RunError => callError('envelope_refusal', 'The model declined to answer.');

export const truncationError = (): RunError =>
  callError('envelope_truncation_unrecoverable', 'The answer of the model was cut off.');

export const invalidAnswerError = (details?: JsonObject): RunError =>
  callError('envelope_invalid', 'The model gave no answer of the form that was asked for.', details);

export const noModelError = (): RunError =>
  callError('capability_required', 'This host has no model that could answer for the node.');

/** The run or the node wishes for a model that this host does not ask. */
export const modelNotAllowedError = (): RunError =>
  callError('capability_required', 'This host does not ask the model that is wished for.', {
    requiredCapability: 'aiProviders',
    field: 'model',
  });

/** What a model's error means to the node that asked; a retryable one is for the engine's rules of retries. */
export function modelCallError(error: ModelError): RunError {
  switch (error.reason) {
    case 'model_answer_invalid':
      return error.defect === 'truncated' ? truncationError() : invalidAnswerError(error.details);
    case 'model_request_refused':
      return callError('model_request_refused', error.message, error.details);
    case 'model_rate_limited':
    case 'model_unavailable':
    case 'model_aborted':
      return { ...knownError(error), retryable: true };
    default:
      return error satisfies never;
  }
}

/** An error of ours as a node's. */
export function knownError({ code, message, details }: PalimpsestError): RunError {
  return callError(code, message, details);
}
