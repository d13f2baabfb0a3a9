import { setMaxListeners } from 'node:events';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { RunHeader } from '@palimpsest/contracts';
import { eitherSignal } from './either-signal.js';
import { RunTails } from './run-tails.js';
import { WakeSignal } from './wake-signal.js';

export type RunWatch = {
  /** Woken when the run's log has grown, and when the watch is over. */
  readonly signal: WakeSignal;
  /** Aborted when the client has gone, or the process ends. */
  readonly over: AbortSignal;
  close(): Promise<void>;
};

/** Clients that wait for a run to grow. All are sent away before the listener closes. */
@Injectable()
export class RunWatches implements OnModuleDestroy {
  private readonly closing = new AbortController();

  constructor(@Inject(RunTails) private readonly tails: RunTails) {
    // One for each client: no sign of a leak.
    setMaxListeners(0, this.closing.signal);
  }

  onModuleDestroy(): void {
    this.closing.abort();
  }

  /** Watches from when this resolves: who reads the log after that misses nothing. `gone`: the client has. */
  async open(run: RunHeader, gone: AbortSignal): Promise<RunWatch> {
    const { signal: over, release } = eitherSignal(gone, this.closing.signal);
    const signal = new WakeSignal();
    const wake = (): void => signal.wake();
    over.addEventListener('abort', wake, { once: true });
    try {
      const listening = await this.tails.listen(run, wake);
      return { signal, over, close: () => (release(), listening.close()) };
    } catch (error) {
      release();
      throw error;
    }
  }
}
