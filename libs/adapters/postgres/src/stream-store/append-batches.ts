import type { StreamAppend } from '@palimpsest/kernel';
import { isDatabaseUnavailable } from '../connection/database-errors.js';

/** Most messages of one statement. */
const MOST_MESSAGES = 200;

type Write = (appends: readonly StreamAppend[]) => Promise<void>;

type Waiting = {
  readonly append: StreamAppend;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Joins messages that come while others are being written: one statement and one flush for all of them, in the order
 * they came. Nobody waits for company.
 */
export class AppendBatches {
  private waiting: Waiting[] = [];
  private isWriting = false;

  constructor(private readonly write: Write) {}

  append(append: StreamAppend): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ append, resolve, reject });
      if (this.isWriting) return;
      this.isWriting = true;
      // Once the events of this turn of the loop are through: a relay publishes many messages in one turn.
      setImmediate(() => void this.writeAll());
    });
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MOST_MESSAGES);
      await this.write(batch.map(({ append }) => append)).then(
        () => batch.forEach(({ resolve }) => resolve()),
        (error: unknown) => this.failed(batch, error),
      );
    }
    this.isWriting = false;
  }

  /** What the server refuses in one message is not the others' fault: each then goes alone. */
  private async failed(batch: readonly Waiting[], error: unknown): Promise<void> {
    if (batch.length === 1 || isDatabaseUnavailable(error)) batch.forEach(({ reject }) => reject(error));
    else for (const { append, resolve, reject } of batch) await this.write([append]).then(resolve, reject);
  }
}
