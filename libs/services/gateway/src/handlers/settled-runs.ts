import { Inject, Injectable } from '@nestjs/common';
import { isTerminalStatus, type RunHeader } from '@palimpsest/contracts';
import { NotFoundError, ServiceUnavailableError } from '@palimpsest/kernel';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options.js';
import { RunTails } from './run-tails.js';
import { RunWatches } from './run-watches.js';

type Wait = {
  /** Beside the end of the run: where to stop. */
  readonly until: (header: RunHeader) => boolean;
  /** Milliseconds. */
  readonly withinMs: number;
  readonly gone: AbortSignal;
};

/** Waits on runs as clients do that poll for events, for those that need to know where a run comes to. */
@Injectable()
export class SettledRuns {
  constructor(
    @Inject(RunTails) private readonly tails: RunTails,
    @Inject(RunWatches) private readonly watches: RunWatches,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  /** The run's header once it has ended, or is where it was to come. @throws ServiceUnavailableError when time is up */
  async settled(run: RunHeader, { until, withinMs, gone }: Wait): Promise<RunHeader> {
    const deadline = performance.now() + withinMs;
    const watch = await this.watches.open(run, gone);
    try {
      for (;;) {
        const header = await this.tails.header(run);
        if (!header) throw new NotFoundError('The run');
        if (isTerminalStatus(header.status) || until(header)) return header;
        const left = deadline - performance.now();
        if (left <= 0 || watch.over.aborted) throw new ServiceUnavailableError('The orchestrator');
        await watch.signal.wait(Math.min(left, this.options.pollMs));
      }
    } finally {
      await watch.close();
    }
  }
}
