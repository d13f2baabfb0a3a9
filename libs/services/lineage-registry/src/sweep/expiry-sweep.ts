import { isPalimpsestError, RetryableError, type Logger } from '@palimpsest/kernel';
import { sweep } from '../domain/workgroup/expire-leases.js';
import type { WorkgroupStore } from '../store/workgroup-store.js';

/** As much of a store as a sweep needs. */
export type SweptStore = Pick<WorkgroupStore, 'withExpired' | 'decide' | 'forgetCommands'>;

export type ExpirySweepOptions = {
  readonly store: SweptStore;
  readonly logger: Logger;
  /** How often leases that are over are looked for, in milliseconds. Default 5 000. */
  readonly intervalMs?: number;
};

type WorkgroupKey = Awaited<ReturnType<WorkgroupStore['withExpired']>>[number];

const INTERVAL_MS = 5000;
/** Workgroups of one sweep; who is left comes with the next. */
const MOST_WORKGROUPS = 500;
/** So many in a row that could not be asked: the database, and not a workgroup, keeps the others from it. */
const MOST_FAILURES = 3;

/** Ends leases that are over where nobody comes to see it, and forgets answers of old commands. */
export class ExpirySweep {
  readonly #options: ExpirySweepOptions;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> | undefined;
  /** Workgroups that the last sweep got no answer of. */
  #stuck: ReadonlySet<string> = new Set();

  constructor(options: ExpirySweepOptions) {
    this.#options = options;
  }

  /** Sweeps now, and then again and again. */
  start(): void {
    if (this.#timer) return;
    this.#timer = setInterval(() => void this.sweep(), this.#options.intervalMs ?? INTERVAL_MS);
    this.#timer.unref();
    void this.sweep();
  }

  /** Settles once the sweep that is under way is over. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#underWay;
  }

  /** One sweep, or the one that is under way. Never rejects. */
  sweep(): Promise<void> {
    this.#underWay ??= this.#sweepOnce().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #sweepOnce(): Promise<void> {
    const { store } = this.#options;
    await this.#reported('Leases that are over could not be looked for', async () =>
      this.#expireAll(await store.withExpired(MOST_WORKGROUPS)),
    );
    await this.#reported('Answers of old commands could not be forgotten', () => store.forgetCommands());
  }

  /** Those that gave no answer the last time come last: they are over for longest, and would always come first. */
  async #expireAll(keys: readonly WorkgroupKey[]): Promise<void> {
    const last = keys.filter((key) => this.#stuck.has(nameOf(key)));
    const stuck = new Set<string>();
    let inARow = 0;
    for (const key of [...keys.filter((other) => !last.includes(other)), ...last]) {
      const failure = await this.#reported('Leases of a workgroup could not be ended', () =>
        this.#expire(key),
      );
      const isUnanswered = failure instanceof RetryableError;
      inARow = isUnanswered ? inARow + 1 : 0;
      if (isUnanswered) stuck.add(nameOf(key));
      if (inARow === MOST_FAILURES) break;
    }
    this.#stuck = stuck;
  }

  #expire(key: WorkgroupKey): Promise<object> {
    return this.#options.store.decide(key, (workgroup, { now }) => sweep(workgroup, now));
  }

  /** What it failed with, logged by its code; nothing else fails by it. */
  async #reported(message: string, work: () => Promise<unknown>): Promise<unknown> {
    try {
      await work();
      return undefined;
    } catch (error) {
      this.#report(error, message);
      return error;
    }
  }

  #report(error: unknown, message: string): void {
    const code = isPalimpsestError(error) ? error.code : 'internal_error';
    this.#options.logger.warn({ code }, message);
  }
}

function nameOf({ tenantId, workgroupId }: WorkgroupKey): string {
  return `${tenantId}/${workgroupId}`;
}
