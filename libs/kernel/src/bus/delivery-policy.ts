import { isPalimpsestError, RetryableError, TerminalError } from '../errors/palimpsest-error.js';
import type { ConsumerOptions } from '../ports/message-bus.js';

/** A consumer's options with every default filled in. */
export type DeliveryPolicy = Required<
  Pick<ConsumerOptions, 'concurrency' | 'maxAttempts' | 'maxRetryableAttempts' | 'ackWaitMs' | 'retryBaseMs'>
> & {
  /** A message handed out more often than this never came back: its handler dies or hangs. */
  readonly maxDeliveries: number;
};

/** What becomes of a message whose handler threw. */
export type FailureOutcome =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'dead-letter'; readonly code: string };

/** Code of a message that was handed out too often and never came back: its handler dies or hangs. */
export const NO_OUTCOME = 'no_outcome';

/** How long a stream remembers the ids of its messages. */
export const DUPLICATE_WINDOW_MS = 120_000;

const LONGEST_RETRY_MS = 30_000;

export function deliveryPolicy(options: ConsumerOptions): DeliveryPolicy {
  const maxAttempts = options.maxAttempts ?? 5;
  const maxRetryableAttempts = options.maxRetryableAttempts ?? maxAttempts;
  return {
    concurrency: options.concurrency ?? 1,
    maxAttempts,
    maxRetryableAttempts,
    maxDeliveries: Math.max(maxAttempts, maxRetryableAttempts),
    ackWaitMs: options.ackWaitMs ?? 30_000,
    retryBaseMs: options.retryBaseMs ?? 250,
  };
}

/**
 * The one place where an error becomes a decision about its message. A retryable error counts as an attempt
 * too, as work that stays impossible has to become visible; it never comes again sooner than it asked to.
 */
export function outcomeOfFailure(error: unknown, attempt: number, policy: DeliveryPolicy): FailureOutcome {
  if (error instanceof TerminalError) return { kind: 'dead-letter', code: error.code };
  const retryable = error instanceof RetryableError;
  if (attempt >= (retryable ? policy.maxRetryableAttempts : policy.maxAttempts)) {
    return { kind: 'dead-letter', code: isPalimpsestError(error) ? error.code : 'internal_error' };
  }
  const backoffMs = Math.min(policy.retryBaseMs * 2 ** (attempt - 1), LONGEST_RETRY_MS);
  return { kind: 'retry', delayMs: retryable ? Math.max(error.retryAfterMs, backoffMs) : backoffMs };
}
