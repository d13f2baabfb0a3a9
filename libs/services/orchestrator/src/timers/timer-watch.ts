import { isPalimpsestError, type Clock, type Logger } from '@palimpsest/kernel';
import type { Timer, TimerStore } from './timer-store.js';

export type TimerWatchOptions = {
  readonly timers: TimerStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Timers at work at once. */
  readonly concurrency: number;
  /** Longest pause between two looks, in milliseconds: timers of other instances are seen by then. */
  readonly pollMs: number;
  readonly fire: (timer: Timer) => Promise<void>;
};

/** How long a claimed timer is left to who claimed it; a run that was not advanced by then is looked at again. */
export const CLAIM_MS = 10_000;

/** Fires timers when they are due. Every instance watches; a timer is claimed by one of them at a time. */
export class TimerWatch {
  readonly #options: TimerWatchOptions;
  #closed = false;
  #timeout: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  /** The earliest time at which somebody expects a timer, since the last look began. */
  #expected = Infinity;

  constructor(options: TimerWatchOptions) {
    this.#options = options;
  }

  start(): void {
    this.#lookIn(0);
  }

  /** A timer was set here: no need to wait for the next look to learn of it. */
  expect(dueAt: Date): void {
    if (dueAt.getTime() >= this.#expected) return;
    this.#expected = dueAt.getTime();
    if (!this.#looking) this.#lookIn(this.#pauseMs(undefined));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timeout);
    await this.#looking;
  }

  #lookIn(milliseconds: number): void {
    clearTimeout(this.#timeout);
    if (this.#closed) return;
    this.#timeout = setTimeout(() => {
      this.#looking = this.#look().finally(() => (this.#looking = undefined));
    }, milliseconds);
  }

  async #look(): Promise<void> {
    this.#expected = Infinity;
    let next: Date | undefined;
    try {
      await this.#fireAllDue();
      next = await this.#options.timers.nextDue(this.#after(this.#options.pollMs));
    } catch (error) {
      this.#warn(error, 'Due timers could not be looked for');
    }
    this.#lookIn(this.#pauseMs(next));
  }

  async #fireAllDue(): Promise<void> {
    const { timers, clock, concurrency } = this.#options;
    let due: readonly Timer[];
    do {
      due = await timers.claimDue({
        now: clock.now(),
        claimedUntil: this.#after(CLAIM_MS),
        limit: concurrency,
      });
      await Promise.all(due.map((timer) => this.#fire(timer)));
    } while (due.length === concurrency && !this.#closed);
  }

  /** What goes wrong with one run does not hold up the others: its claim ends, and it is tried again. */
  async #fire(timer: Timer): Promise<void> {
    try {
      await this.#options.fire(timer);
    } catch (error) {
      this.#warn(error, 'A run whose timer was due could not be advanced', timer.runId);
    }
  }

  #warn(error: unknown, message: string, runId?: string): void {
    const code = isPalimpsestError(error) ? error.code : 'internal_error';
    this.#options.logger.warn({ code, ...(runId !== undefined && { runId }) }, message);
  }

  #pauseMs(next: Date | undefined): number {
    const soonest = Math.min(next?.getTime() ?? Infinity, this.#expected);
    const untilThen = soonest - this.#options.clock.now().getTime();
    return Math.max(0, Math.min(untilThen, this.#options.pollMs));
  }

  #after(milliseconds: number): Date {
    return new Date(this.#options.clock.now().getTime() + milliseconds);
  }
}
