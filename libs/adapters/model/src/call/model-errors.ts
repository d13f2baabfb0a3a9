import {
  ModelAbortedError,
  ModelRateLimitedError,
  ModelRequestRefusedError,
  ModelUnavailableError,
  type ModelError,
} from '@palimpsest/kernel';
import { nameOf, type RequestOutcome } from './one-request.js';
import type { CallContext } from './patient-request.js';

type NoAnswer = Extract<RequestOutcome, { kind: 'failed' | 'aborted' }>;

/** The error that a request without an answer comes to. No cause: the SDK's errors hold the request and the answer. */
export function modelErrorOf({ wire, usages }: CallContext, outcome: NoAnswer): ModelError {
  const known = { ...nameOf(wire), usages: [...usages] };
  if (outcome.kind === 'aborted') return new ModelAbortedError(known);
  const { kind, ...failure } = outcome.failure;
  switch (kind) {
    case 'rate-limited':
      return new ModelRateLimitedError({ ...known, ...failure });
    case 'unavailable':
      return new ModelUnavailableError({ ...known, ...failure });
    case 'refused':
      return new ModelRequestRefusedError({ ...known, ...failure });
    default:
      return kind satisfies never;
  }
}
