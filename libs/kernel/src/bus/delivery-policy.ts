import { isPalimpsestError, RetryableError, TerminalError } from '../errors/palimpsest-error.js';
import type { ConsumerOptions } from '../ports/message-bus.js';

/** A consumer's options with every default filled in. */
export type DeliveryPolicy = Required<Pick<ConsumerOptions, 'concurrency' | 'maxAttempts' | 'ackWaitMs'>> & {
  readonly retryBaseMs: number;
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
  return {
    concurrency: options.concurrency ?? 1,
    maxAttempts: options.maxAttempts ?? 5,
    ackWaitMs: options.ackWaitMs ?? 30_000,
    retryBaseMs: options.retryBaseMs ?? 250,
  };
}

/**
 * The one place where an error becomes a decision about its message. A retryable error counts as an attempt
 * too: work that stays impossible has to become visible.
 */
export function outcomeOfFailure(error: unknown, attempt: number, policy: DeliveryPolicy): FailureOutcome {
  if (error instanceof TerminalError) return { kind: 'dead-letter', code: error.code };
  if (attempt >= policy.maxAttempts) {
    return { kind: 'dead-letter', code: isPalimpsestError(error) ? error.code : 'internal_error' };
  }
  if (error instanceof RetryableError) return { kind: 'retry', delayMs: error.retryAfterMs };
  return { kind: 'retry', delayMs: Math.min(policy.retryBaseMs * 2 ** (attempt - 1), LONGEST_RETRY_MS) };
}
