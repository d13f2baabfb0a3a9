import type { ErrorCode, JsonObject } from '@palimpsest/contracts';

export type ErrorOptions = {
  /** Ids, names and numbers the error concerns; never content. */
  readonly details?: JsonObject;
  readonly cause?: unknown;
};

/** An error with a stable code. Its class is the retry decision; it is mapped to HTTP and to ack/nak once. */
export abstract class PalimpsestError extends Error {
  readonly code: ErrorCode;
  readonly details: JsonObject | undefined;
  abstract readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.details = options.details;
  }
}

/** Asking again cannot help: the caller gets the answer, a message goes to the dead letter. */
export class TerminalError extends PalimpsestError {
  readonly retryable = false;
}

/** The same request may succeed later; `retryAfterMs` says when it is worth asking. */
export class RetryableError extends PalimpsestError {
  readonly retryable = true;
  readonly retryAfterMs: number;

  constructor(
    code: ErrorCode,
    message: string,
    options: ErrorOptions & { readonly retryAfterMs?: number } = {},
  ) {
    super(code, message, options);
    this.retryAfterMs = options.retryAfterMs ?? 1000;
  }
}

export function isPalimpsestError(error: unknown): error is PalimpsestError {
  return error instanceof PalimpsestError;
}

export function hasCode(error: unknown, code: ErrorCode): error is PalimpsestError {
  return isPalimpsestError(error) && error.code === code;
}
