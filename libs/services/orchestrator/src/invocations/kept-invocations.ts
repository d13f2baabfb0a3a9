import { isPalimpsestError, type Clock, type Logger } from '@palimpsest/kernel';
import type { InvocationStore } from './invocation-store.js';

/** Host specification §8.2: answers are kept for fourteen days. */
export const RETENTION_MS = 14 * 86_400_000;
const PURGE_EVERY_MS = 3_600_000;
const BATCH = 1000;
/** Of one look: the next one comes soon, and other work has to have its turn. */
const MOST_BATCHES = 20;

export type KeptInvocationsOptions = {
  readonly invocations: Pick<InvocationStore, 'purge'>;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** Forgets invocations of models when their time is over: at start, and then every hour. */
export class KeptInvocations {
  readonly #options: KeptInvocationsOptions;
  #timer: NodeJS.Timeout | undefined;
  #purging: Promise<void> | undefined;
  #closed = false;

  constructor(options: KeptInvocationsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.#begin(), PURGE_EVERY_MS);
    this.#begin();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#purging;
  }

  #begin(): void {
    this.#purging ??= this.#purge().finally(() => (this.#purging = undefined));
  }

  async #purge(): Promise<void> {
    const { invocations, clock, logger } = this.#options;
    const before = new Date(clock.now().getTime() - RETENTION_MS);
    try {
      for (let batch = 0; batch < MOST_BATCHES && !this.#closed; batch += 1)
        if ((await invocations.purge(before, BATCH)) < BATCH) return;
    } catch (error) {
      const code = isPalimpsestError(error) ? error.code : 'internal_error';
      logger.warn({ code }, 'Old invocations of models could not be removed');
    }
  }
}
