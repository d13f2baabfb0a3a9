import type { JsonObject, RunError } from '@palimpsest/contracts';

/** Errors inside payloads (host specification §4.1). Messages name what is wrong, never content. */
export function runError(code: string, message: string, details?: JsonObject): RunError {
  return { code, message, ...(details && { details: details as NonNullable<RunError['details']> }) };
}

export function expressionError(details: JsonObject): RunError {
  return runError('expression_error', 'An expression or a condition could not be evaluated.', details);
}
