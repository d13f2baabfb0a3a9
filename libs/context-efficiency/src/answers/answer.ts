import type { Facts } from '../json/facts.js';
import { MESSAGES, type ContextCode } from './codes.js';
import { codeOf, refuse } from './context-refusal.js';
import { operationNamed, type Surroundings } from './operations.js';
import { collectRequest, parseRequest } from './request.js';

/** The one object that answers a request (contract §1.1); a negative verdict is a success. */
export type ContextAnswer =
  | { readonly ok: true; readonly operation: string; readonly result: unknown }
  | { readonly ok: false; readonly code: ContextCode; readonly message: string };

/** Judges a request that was read already. Never throws. */
export function answerOperation(
  operation: string,
  request: Facts,
  surroundings: Surroundings,
): ContextAnswer {
  try {
    const perform = operationNamed(operation) ?? refuse('UNSUPPORTED_OPERATION');
    return { ok: true, operation, result: perform(request, surroundings) };
  } catch (error) {
    return refusalWith(codeOf(error));
  }
}

export type RequestStream = {
  readonly operation: string | undefined;
  /** Opened only where there is an operation's word. */
  readonly open: () => AsyncIterable<Uint8Array>;
  readonly surroundings: () => Surroundings;
};

/** Reads and judges one request, in the order of §1. Never rejects. */
export async function answerStream({ operation, open, surroundings }: RequestStream): Promise<ContextAnswer> {
  if (!operation) return refusalWith('UNSUPPORTED_OPERATION');
  try {
    const request = parseRequest(await collectRequest(open()));
    return answerOperation(operation, request, surroundings());
  } catch (error) {
    return refusalWith(codeOf(error));
  }
}

export function refusalWith(code: ContextCode): ContextAnswer {
  return { ok: false, code, message: MESSAGES[code] };
}
