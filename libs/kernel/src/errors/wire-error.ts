import { ERROR_STATUS, type ErrorCode, type JsonObject } from '@palimpsest/contracts';
import {
  isPalimpsestError,
  RetryableError,
  TerminalError,
  type PalimpsestError,
} from './palimpsest-error.js';

/** An error as it crosses a process. */
export type WireError = {
  readonly code: string;
  readonly message: string;
  readonly details?: JsonObject;
  readonly retryAfterMs?: number;
};

/** An unknown error crosses as `internal_error` without its message, which may hold content. */
export function toWireError(error: unknown): WireError {
  if (!isPalimpsestError(error))
    return { code: 'internal_error', message: 'The service failed unexpectedly.' };
  return {
    code: error.code,
    message: error.message,
    ...(error.details && { details: error.details }),
    ...(error instanceof RetryableError && { retryAfterMs: error.retryAfterMs }),
  };
}

export function fromWireError(wire: WireError): PalimpsestError {
  const code = (wire.code in ERROR_STATUS ? wire.code : 'internal_error') as ErrorCode;
  const options = wire.details ? { details: wire.details } : {};
  return wire.retryAfterMs === undefined
    ? new TerminalError(code, wire.message, options)
    : new RetryableError(code, wire.message, { ...options, retryAfterMs: wire.retryAfterMs });
}
