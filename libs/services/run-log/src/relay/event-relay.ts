import { STREAMS, runEventSubject, type RunEventNotice } from '@palimpsest/contracts';
import {
  isPalimpsestError,
  LOG_START,
  type CommittedEvent,
  type EventLog,
  type Logger,
  type LogSubscription,
  type MessageBus,
} from '@palimpsest/kernel';
import type { CheckpointStore } from './checkpoint-store.js';
import { advanceJobOf } from './advance-job.js';
import { noticeOf } from './notice-of.js';

/** The relay's name among the readers of the log. */
export const RELAY_READER = 'run-events';

export type EventRelayOptions = {
  readonly eventLog: EventLog;
  readonly bus: MessageBus;
  readonly checkpoints: CheckpointStore;
  readonly logger: Logger;
  /** Told when the bus takes messages again: what it had stored may be gone. */
  readonly onOutageOver?: () => void;
  /** Pause before another attempt where the database or the bus does not answer. Default 500. */
  readonly retryMs?: number;
};

/**
 * Publishes what was committed, from a reader of the log, and gives the orchestrator its jobs. The checkpoint moves
 * after both publishes, so a crash before it publishes again: at least once.
 *
 * Every instance of the service relays everything. The stream drops the second publish of an event id, a
 * consumer is idempotent anyway, and the shared checkpoint only moves forward; so there is no leader to
 * elect, nothing to fence and no gap when an instance dies. The price is one log reader per instance.
 * Within a run the stream's order is the log's as long as publishes succeed; order is the sequence, always.
 */
export class EventRelay {
  readonly #options: EventRelayOptions;
  readonly #stopping = new AbortController();
  #starting: Promise<void> | undefined;
  #subscription: LogSubscription | undefined;
  #streamsReady = false;

  constructor(options: EventRelayOptions) {
    this.#options = options;
  }

  /** Returns at once; where the database does not answer yet, the relay begins as soon as it does. */
  start(): void {
    this.#starting ??= this.#subscribe();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#starting;
    await this.#subscription?.close();
  }

  async #subscribe(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        const saved = await this.#options.checkpoints.load(RELAY_READER);
        if (this.#stopping.signal.aborted) return;
        this.#subscription = this.#options.eventLog.subscribe(saved ?? LOG_START, (batch) =>
          this.#relayUntilDone(batch),
        );
        return;
      } catch (error) {
        await this.#pauseAfter(error);
      }
    }
  }

  /** Holds the log's reader at this batch while the bus is gone: what is committed meanwhile waits in the log. */
  async #relayUntilDone(batch: readonly CommittedEvent[]): Promise<void> {
    for (let failed = false; !this.#stopping.signal.aborted; failed = true) {
      try {
        await this.#relay(batch);
        if (failed) this.#options.onOutageOver?.();
        return;
      } catch (error) {
        // The streams may have gone with the server that held them.
        this.#streamsReady = false;
        await this.#pauseAfter(error);
      }
    }
  }

  async #relay(batch: readonly CommittedEvent[]): Promise<void> {
    const { bus, checkpoints } = this.#options;
    await this.#ensureStreams();
    const notices = batch.map(noticeOf);
    const jobs = batch.map(advanceJobOf).filter((job) => job !== undefined);
    await Promise.all([
      ...notices.map((notice) => this.#publish(notice)),
      ...jobs.map((job) => bus.publish(STREAMS.advance, job)),
    ]);
    const cursor = batch.at(-1)?.cursor;
    if (cursor) await checkpoints.save(RELAY_READER, cursor);
  }

  async #ensureStreams(): Promise<void> {
    if (this.#streamsReady) return;
    await this.#options.bus.ensureStream(STREAMS.runEvents);
    await this.#options.bus.ensureStream(STREAMS.advance);
    this.#streamsReady = true;
  }

  #publish(notice: RunEventNotice): Promise<void> {
    return this.#options.bus.publish(STREAMS.runEvents, {
      id: notice.eventId,
      subject: runEventSubject(notice.tenantId, notice.runId),
      body: notice,
    });
  }

  async #pauseAfter(error: unknown): Promise<void> {
    const code = isPalimpsestError(error) ? error.code : 'internal_error';
    this.#options.logger.warn({ code }, 'The relay waits: events stay in the log until it can go on');
    await pause(this.#options.retryMs ?? 500, this.#stopping.signal);
  }
}

function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stopped.aborted) return resolve();
    const timer = setTimeout(done, milliseconds);
    stopped.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      stopped.removeEventListener('abort', done);
      resolve();
    }
  });
}
