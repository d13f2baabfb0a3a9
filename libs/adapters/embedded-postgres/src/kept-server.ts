import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@palimpsest/kernel';
import type { ServerProcess } from './server-process.js';

export type KeptServerOptions = {
  readonly server: ServerProcess;
  /** Starts it again, on the same port and data. */
  readonly startAgain: () => Promise<ServerProcess>;
  readonly logger?: Logger;
};

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** A server that is started again when it ends by itself, until it is stopped. */
export class KeptServer {
  readonly #options: KeptServerOptions;
  #server: ServerProcess;
  #stopped = false;
  #revival: Promise<void> = Promise.resolve();

  constructor(options: KeptServerOptions) {
    this.#options = options;
    this.#server = options.server;
    this.#watch();
  }

  /** Resolves when the server is gone, for good. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#server.stop();
    await this.#revival;
    await this.#server.stop();
  }

  #watch(): void {
    void this.#server.ended.then((how) => {
      if (!this.#stopped) this.#revival = this.#revive(how);
    });
  }

  async #revive(how: string): Promise<void> {
    const { startAgain, logger } = this.#options;
    logger?.error({ how }, 'the embedded Postgres has ended by itself; it is started again');
    await this.#server.stop();
    for (let wait = FIRST_PAUSE_MS; !this.#stopped; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      try {
        this.#server = await startAgain();
        return this.#watch();
      } catch (err) {
        // Processes of the dead server may still hold its memory for a moment.
        logger?.error({ err }, 'the embedded Postgres could not be started again');
        await pause(wait, undefined, { ref: false });
      }
    }
  }
}
