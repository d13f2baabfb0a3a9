import { isPalimpsestError } from '../errors/palimpsest-error.js';
import type { CommittedEvent, EventLog, LogCursor, LogSubscription } from '../ports/event-log.js';
import { silentLogger, type Logger } from '../ports/logger.js';

export type PollOptions = {
  /** Time between two looks at a log that had nothing new. Default 100. */
  readonly pollIntervalMs?: number;
  /** Default 500. */
  readonly batchSize?: number;
  /** Delay after the first failure in a row; doubles up to `retryMaxMs`. Defaults 100 and 5 000. */
  readonly retryBaseMs?: number;
  readonly retryMaxMs?: number;
  readonly logger?: Logger;
};

type PollSource = {
  readonly after: LogCursor;
  readonly readAll: EventLog['readAll'];
  readonly onBatch: (batch: readonly CommittedEvent[]) => Promise<void>;
};

/** Appends come in bursts: a reader that was woken waits this long for the rest of the burst. */
const BURST_MS = 5;

/** A subscription that looks at the log every interval, and soon after a `wake`. */
export class LogPoller implements LogSubscription {
  private readonly closing = new AbortController();
  private readonly finished: Promise<void>;
  private cursor: LogCursor;
  /** Read, and not yet accepted by the callback. */
  private pending: readonly CommittedEvent[] = [];
  private failures = 0;
  private woken = false;
  private endRest: () => void = () => undefined;

  constructor(
    private readonly source: PollSource,
    private readonly options: PollOptions,
  ) {
    this.cursor = source.after;
    this.finished = this.run();
  }

  /** There may be something new. Never shortens the delay after a failure. */
  wake(): void {
    this.woken = true;
    this.endRest();
  }

  /** Waits for the callback at work, so a callback must not wait for it. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.finished;
  }

  private async run(): Promise<void> {
    while (!this.closing.signal.aborted) {
      try {
        await this.step();
        this.failures = 0;
      } catch (error) {
        await this.backOff(error);
      }
    }
  }

  private async step(): Promise<void> {
    if (this.pending.length === 0) {
      this.woken = false;
      this.pending = await this.source.readAll(this.cursor, this.options.batchSize ?? 500);
    }
    const last = this.pending.at(-1);
    if (!last) return this.rest();
    if (this.closing.signal.aborted) return;
    await this.source.onBatch(this.pending);
    this.cursor = last.cursor;
    this.pending = [];
  }

  private async backOff(error: unknown): Promise<void> {
    const { retryBaseMs = 100, retryMaxMs = 5000, logger = silentLogger } = this.options;
    const delayMs = Math.min(retryMaxMs, retryBaseMs * 2 ** this.failures);
    this.failures += 1;
    const code = isPalimpsestError(error) ? error.code : 'unknown';
    logger.warn({ code, failures: this.failures, delayMs }, 'log subscription failed; trying again');
    await this.pause(delayMs);
  }

  private async rest(): Promise<void> {
    // A wake that came during the read is about something the read may have missed.
    if (!this.woken) await this.pause(this.options.pollIntervalMs ?? 100, (end) => (this.endRest = end));
    if (this.woken) await this.pause(BURST_MS);
  }

  private pause(delayMs: number, onStart: (end: () => void) => void = () => undefined): Promise<void> {
    const { signal } = this.closing;
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, delayMs);
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
      onStart(end);
    });
  }
}
