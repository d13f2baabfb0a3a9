import { isDatabaseUnavailable } from '../connection/database-errors.js';
import { startsRun, type CheckedAppend } from './append-events.js';

/** Statements in flight at once: one that waits for a lock of another process does not hold up all. */
const LANES = 2;
/** Most appends that join in one statement. */
const MOST_APPENDS = 64;
/** Most events of one statement, but for a single larger append. */
const MOST_EVENTS = 128;

/** The head that an append has moved its run to; undefined where it has written nothing. */
type NewHead = number | undefined;

type WriteTogether = (appends: readonly CheckedAppend[]) => Promise<readonly NewHead[]>;

type Waiting = {
  readonly append: CheckedAppend;
  readonly resolve: (head: NewHead) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Joins appends that come while another is being written: one statement and one flush of the server's log for all
 * of them. Nobody waits for company: an append goes at once where a lane is free. Appends to one run keep their
 * order and never share a statement, so each meets the head that the one before it left.
 */
export class AppendQueue {
  private waiting: Waiting[] = [];
  /** Runs that a statement in flight appends to. */
  private readonly busy = new Set<string>();
  private inFlight = 0;
  private isFilling = false;

  constructor(private readonly write: WriteTogether) {}

  append(append: CheckedAppend): Promise<NewHead> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ append, resolve, reject });
      this.fillLanesSoon();
    });
  }

  /** Once the events of this turn of the loop are through: callers that were just answered often append again. */
  private fillLanesSoon(): void {
    if (this.isFilling) return;
    this.isFilling = true;
    setImmediate(() => this.fillLanes());
  }

  private fillLanes(): void {
    this.isFilling = false;
    while (this.inFlight < LANES) {
      const batch = this.take();
      if (batch.length === 0) return;
      void this.send(batch);
    }
  }

  /** The next appends that may go together, in the order they came; those that may not stay where they are. */
  private take(): Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    const passedOver = new Set<string>();
    let events = 0;
    for (const one of this.waiting) {
      const key = runKey(one.append);
      const size = one.append.events.length;
      const fits = taken.length === 0 || (taken.length < MOST_APPENDS && events + size <= MOST_EVENTS);
      const sameKind = taken[0] === undefined || startsRun(taken[0].append) === startsRun(one.append);
      if (fits && sameKind && !this.busy.has(key) && !passedOver.has(key)) {
        taken.push(one);
        events += size;
        this.busy.add(key);
      } else {
        left.push(one);
        passedOver.add(key);
      }
    }
    this.waiting = left;
    return taken;
  }

  private async send(batch: readonly Waiting[]): Promise<void> {
    this.inFlight += 1;
    await this.write(batch.map(({ append }) => append)).then(
      (heads) => batch.forEach(({ resolve }, index) => resolve(heads[index])),
      (error: unknown) => this.failed(batch, error),
    );
    this.inFlight -= 1;
    for (const { append } of batch) this.busy.delete(runKey(append));
    this.fillLanesSoon();
  }

  /**
   * What the server refuses in one append is not the others' fault: each then goes alone. Where the server is gone
   * nobody knows what was written, and asking again is the caller's decision.
   */
  private async failed(batch: readonly Waiting[], error: unknown): Promise<void> {
    const alone = batch.length > 1 && !isDatabaseUnavailable(error) ? batch : [];
    if (alone.length === 0) batch.forEach(({ reject }) => reject(error));
    for (const { append, resolve, reject } of alone) {
      await this.write([append]).then(([head]) => resolve(head), reject);
    }
  }
}

function runKey({ request }: CheckedAppend): string {
  return `${request.tenantId}/${request.runId}`;
}
