import { advanceSubject, STREAMS } from '@palimpsest/contracts';
import {
  isPalimpsestError,
  type Clock,
  type Logger,
  type MessageBus,
  type UnfinishedRun,
  type UnfinishedRuns,
} from '@palimpsest/kernel';

export type AdvanceSweepOptions = {
  readonly runs: UnfinishedRuns;
  readonly bus: Pick<MessageBus, 'ensureStream' | 'publish'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Time between two sweeps. Default 5 minutes. */
  readonly everyMs?: number;
};

const EVERY_MS = 5 * 60_000;
/** A run whose log grew since has a job, a timer or an owner. */
const QUIET_MS = 2 * 60_000;
/** Clocks of the hosts of a deployment differ by less. */
const MARGIN_MS = 5000;
const PAGE = 200;

/**
 * Asks the orchestrator again to look at runs that could go on and have been quiet. Their jobs and timers are durable,
 * so this finds nothing to do, unless the store of either was lost: then no run stands still for ever.
 */
export class AdvanceSweep {
  readonly #options: AdvanceSweepOptions;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #closed = false;

  constructor(options: AdvanceSweepOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => void this.sweep(), this.#options.everyMs ?? EVERY_MS);
    this.#timer.unref();
    void this.sweep();
    // An outage may have ended this service's last life, too.
    this.soon();
  }

  /** Once those are quiet whose jobs may have just been lost with the bus. */
  soon(): void {
    if (this.#closed) return;
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => void this.sweep(), QUIET_MS + MARGIN_MS);
    this.#soon.unref();
  }

  /** Never rejects: what could not be asked for now is asked for next time. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepPages()
      .catch((error: unknown) => {
        const code = isPalimpsestError(error) ? error.code : 'internal_error';
        this.#options.logger.warn({ code }, 'Runs that stand still could not be looked for');
      })
      .finally(() => (this.#sweeping = undefined));
    return this.#sweeping;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    await this.#sweeping;
  }

  async #sweepPages(): Promise<void> {
    const { runs, bus, clock } = this.#options;
    const updatedBefore = new Date(clock.now().getTime() - QUIET_MS);
    await bus.ensureStream(STREAMS.advance);
    let after: UnfinishedRun | undefined;
    do {
      const page = await runs.unfinishedRuns({ updatedBefore, limit: PAGE, ...(after && { after }) });
      for (const run of page) await this.#ask(run);
      after = page.length === PAGE ? page.at(-1) : undefined;
    } while (after && !this.#closed);
  }

  #ask({ tenantId, runId, head }: UnfinishedRun): Promise<void> {
    return this.#options.bus.publish(STREAMS.advance, {
      id: `advance:sweep:${tenantId}:${runId}:${head}`,
      subject: advanceSubject(tenantId),
      body: { tenantId, runId },
    });
  }
}
