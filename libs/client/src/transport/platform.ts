/** What the client takes from where it runs; specs give their own. */
export type Platform = {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Rejects with the signal's reason once that is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<unknown>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to 1, without 1. */
  readonly random: () => number;
  /** An `Idempotency-Key` that nobody has used. */
  readonly newKey: () => string;
};

/** Node 20 and browsers alike. `fetch` is looked up when it is called: it may be instrumented later. */
export const hostPlatform: Platform = {
  fetch: (request) => globalThis.fetch(request),
  sleep,
  now: () => Date.now(),
  random: () => Math.random(),
  newKey: () => crypto.randomUUID(),
};

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
