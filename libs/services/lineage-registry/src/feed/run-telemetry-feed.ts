import { STREAMS } from '@palimpsest/contracts';
import type { BusSubscription, ConsumerOptions, Delivery, EventLog, MessageBus } from '@palimpsest/kernel';
import type { TelemetryStore } from '../store/telemetry-store.js';
import { efficiencyEventOf, isToldOf } from './efficiency-event-of.js';
import { toldNotice } from './told-notice.js';

export type RunTelemetryFeedOptions = {
  readonly eventLog: Pick<EventLog, 'header' | 'readRun'>;
  readonly telemetry: Pick<TelemetryStore, 'record'>;
  /** Under which the events of our runs are recorded. */
  readonly environment: string;
  /** Default: what comes of an outage of the log or the database of about an hour. */
  readonly retries?: Pick<ConsumerOptions, 'maxAttempts' | 'maxRetryableAttempts' | 'retryBaseMs'>;
};

export const RUN_TELEMETRY_READER = 'lineage-registry-telemetry';

const CONCURRENCY = 4;
/** The bus waits half a minute at most between two of them. */
const RETRIES = { maxRetryableAttempts: 120 };

/**
 * Efficiency events of the host's own runs: `worker_usage` for each `provider.usage`, `budget_transition` for each
 * window with a `context.summarized`, `worker_completed` for each end of a run. An event's id is derived from the log's, so that a notice
 * that comes again, to whichever instance, records nothing more. What cannot be read, or is not on the log, is a dead
 * letter; while the log is away notices wait on the bus.
 */
export class RunTelemetryFeed {
  readonly #options: RunTelemetryFeedOptions;
  #subscription: BusSubscription | undefined;

  constructor(options: RunTelemetryFeedOptions) {
    this.#options = options;
  }

  async start(bus: Pick<MessageBus, 'consume'>): Promise<void> {
    const { retries = RETRIES } = this.#options;
    this.#subscription ??= await bus.consume(
      { stream: STREAMS.runEvents, durable: RUN_TELEMETRY_READER, concurrency: CONCURRENCY, ...retries },
      (delivery) => this.#take(delivery),
    );
  }

  async close(): Promise<void> {
    await this.#subscription?.close();
    this.#subscription = undefined;
  }

  async #take({ body }: Delivery): Promise<void> {
    const notice = toldNotice(body);
    if (!isToldOf(notice)) return;
    const event = await efficiencyEventOf(this.#options.eventLog, notice);
    if (!event) return;
    const { telemetry, environment } = this.#options;
    await telemetry.record(notice.tenantId, environment, [{ id: `run:${notice.eventId}`, event }]);
  }
}
