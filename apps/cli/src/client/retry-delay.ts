/** Why an attempt brought no answer that can be used. */
export type Setback =
  | { readonly kind: 'unreachable' }
  /** 429, 503, or a request with the same key still at work. */
  | { readonly kind: 'later'; readonly retryAfterSeconds: number | undefined };

export type Patience = {
  /** Attempts made, 1-based. */
  readonly attempts: number;
  readonly waitedMs: number;
  /** True once this server has answered anything: then it is worth waiting for its restart. */
  readonly known: boolean;
};

const KNOWN_SERVER_MS = 30_000;
const UNKNOWN_SERVER_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

/** Milliseconds until the next attempt, or undefined to give up. */
export function retryDelay(setback: Setback, { attempts, waitedMs, known }: Patience): number | undefined {
  const patience = known || setback.kind === 'later' ? KNOWN_SERVER_MS : UNKNOWN_SERVER_MS;
  const backoff = Math.min(2_000, 100 * 2 ** (attempts - 1));
  const asked = setback.kind === 'later' ? (setback.retryAfterSeconds ?? 1) * 1000 : 0;
  const delay = Math.min(LONGEST_PAUSE_MS, Math.max(backoff, asked));
  return waitedMs + delay <= patience ? delay : undefined;
}
