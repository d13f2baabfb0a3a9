/** Why an attempt brought no answer that can be used. */
export type Setback =
  /** No answer, or a proxy's that the server gives none. */
  | { readonly kind: 'unreachable' }
  /** 429, 503, or a request with the same key still at work. */
  | { readonly kind: 'later'; readonly retryAfterMs: number | undefined };

export type Patience = {
  /** Attempts made, 1-based. */
  readonly attempts: number;
  readonly waitedMs: number;
  /** True once this server has answered anything: then it is worth waiting for its restart. */
  readonly known: boolean;
  /** From 0 to 1: clients that were sent away together do not come back together. */
  readonly spread: number;
};

const KNOWN_SERVER_MS = 30_000;
const UNKNOWN_SERVER_MS = 1_000;
const LATER_MS = 1_000;
const LONGEST_BACKOFF_MS = 2_000;

/**
 * Milliseconds until the next attempt, never fewer than the server asked for; undefined to give up, also where it
 * asks for more than this client waits.
 */
export function retryDelay(
  setback: Setback,
  { attempts, waitedMs, known, spread }: Patience,
): number | undefined {
  const patience = known || setback.kind === 'later' ? KNOWN_SERVER_MS : UNKNOWN_SERVER_MS;
  const backoff = Math.min(LONGEST_BACKOFF_MS, 100 * 2 ** (attempts - 1)) * (1 - spread / 2);
  const asked = setback.kind === 'later' ? (setback.retryAfterMs ?? LATER_MS) : 0;
  const delay = Math.max(backoff, asked);
  return waitedMs + delay <= patience ? delay : undefined;
}
