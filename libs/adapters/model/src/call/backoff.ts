const BASE_MS = 500;
const MOST_MS = 30_000;

/** Longest wait that a provider may ask for and get: a longer one is the caller's to plan. */
const LONGEST_ASKED_MS = 60_000;

type Pause = {
  /** Requests so far. */
  readonly attempt: number;
  readonly random: () => number;
  /** What the provider asked for. */
  readonly retryAfterMs: number | undefined;
};

/** Exponential with full jitter, after what the provider asked for; `undefined` where that is too long. */
export function pauseMs({ attempt, random, retryAfterMs = 0 }: Pause): number | undefined {
  if (retryAfterMs > LONGEST_ASKED_MS) return undefined;
  return Math.round(retryAfterMs + random() * Math.min(MOST_MS, BASE_MS * 2 ** (attempt - 1)));
}
