import { MESSAGES, type ContextCode } from './codes.js';

/**
 * An operation's refusal (contract §1.2). It carries its code and nothing of the request, so that it can be logged
 * and answered as it is. Asking again with the same request cannot help.
 */
export class ContextRefusal extends Error {
  readonly code: ContextCode;
  readonly retryable = false;

  constructor(
    code: ContextCode,
    /** The member that is meant, by the contract's own names, where it is known. No answer of an operation has it. */
    readonly field?: string,
  ) {
    super(MESSAGES[code]);
    this.name = 'ContextRefusal';
    this.code = code;
  }
}

export function refuse(code: ContextCode, field?: string): never {
  throw new ContextRefusal(code, field);
}

/** Whatever else went wrong, a stack overflow included, is an ordinary failure without a name of its own. */
export function codeOf(error: unknown): ContextCode {
  return error instanceof ContextRefusal ? error.code : 'INVALID_REQUEST';
}
