import { OneAtATime, ServiceUnavailableError } from '@palimpsest/kernel';

export type BoundedTurnsOptions = {
  /** A command that has waited for its turn in this process for longer, in milliseconds, is refused. Default 5 000. */
  readonly mostWaitMs?: number;
};

/** About what a caller waits for an answer. Without it, turns of callers that have gone would add up behind a silent database. */
const MOST_WAIT_MS = 5000;

/**
 * One command after another of those that lock the same row: each would wait for it with a connection, which others
 * then lack. Who has waited for too long gets a `ServiceUnavailableError`, with nothing done.
 */
export class BoundedTurns {
  readonly #turns = new OneAtATime();
  readonly #what: string;
  readonly #mostWaitMs: number;

  constructor(what: string, { mostWaitMs = MOST_WAIT_MS }: BoundedTurnsOptions) {
    this.#what = what;
    this.#mostWaitMs = mostWaitMs;
  }

  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const askedAt = performance.now();
    return this.#turns.run(key, async () => {
      if (performance.now() - askedAt > this.#mostWaitMs) throw new ServiceUnavailableError(this.#what);
      return work();
    });
  }
}
