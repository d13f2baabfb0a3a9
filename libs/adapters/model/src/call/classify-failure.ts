import type { ModelOutage } from '@palimpsest/kernel';
import { APICallError, InvalidResponseDataError } from 'ai';
import { fieldOf, wordOf } from '../provider/reported-numbers.js';
import { retryAfterMs } from './retry-after.js';

/** What one request came to that brought no answer. Holds nothing that a provider or a caller wrote. */
export type CallFailure = {
  readonly kind: 'rate-limited' | 'unavailable' | 'refused';
  readonly outage: ModelOutage;
  readonly status?: number;
  readonly providerCode?: string;
  readonly retryAfterMs?: number;
};

/** Whether the provider began to answer, and so may have billed what did not arrive. */
export function mayBeBilled({ outage, status = 0 }: CallFailure): boolean {
  return outage === 'unreadable' || (status >= 200 && status < 300);
}

/** 409: another request with this idempotency key is being answered. */
const PASSING_STATUS = new Set([408, 409, 425]);

/** A 429 that waiting does not help against. */
const EMPTY_ACCOUNT = 'insufficient_quota';

export function classifyFailure(error: unknown, now: Date): CallFailure {
  if (!APICallError.isInstance(error)) return lost(error);
  const { statusCode: status, responseHeaders, responseBody } = error;
  if (status === undefined) return { kind: 'unavailable', outage: 'connection' };
  if (status >= 200 && status < 300) return { kind: 'unavailable', outage: unreadable(error), status };
  const wait = retryAfterMs(responseHeaders, now);
  const providerCode = providerCodeOf(responseBody);
  return {
    kind: kindOfStatus(status, providerCode),
    outage: 'status',
    status,
    ...(providerCode !== undefined && { providerCode }),
    ...(wait !== undefined && { retryAfterMs: wait }),
  };
}

function kindOfStatus(status: number, providerCode: string | undefined): CallFailure['kind'] {
  if (status === 429) return providerCode === EMPTY_ACCOUNT ? 'refused' : 'rate-limited';
  return status >= 500 || PASSING_STATUS.has(status) ? 'unavailable' : 'refused';
}

/** The SDK's own errors are about an answer without choices, or a request that it does not even send. */
function lost(error: unknown): CallFailure {
  if (InvalidResponseDataError.isInstance(error)) return { kind: 'unavailable', outage: 'unreadable' };
  const ofSdk = error instanceof Error && error.name.startsWith('AI_');
  return { kind: ofSdk ? 'refused' : 'unavailable', outage: 'connection' };
}

/** A body that the SDK could not parse stands in the error; one that did not arrive in full does not. */
function unreadable(error: APICallError): ModelOutage {
  return error.responseBody === undefined ? 'connection' : 'unreadable';
}

function providerCodeOf(body: string | undefined): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body ?? '');
    return wordOf(fieldOf(parsed, 'error', 'code')) ?? wordOf(fieldOf(parsed, 'error', 'type'));
  } catch {
    return undefined;
  }
}
