import { isPalimpsestError, type Clock, type Logger } from '@palimpsest/kernel';
import { LONG_MS, LONG_PER_SHORT } from '../handlers/job-places.js';
import type { Timer, TimerStore } from './timer-store.js';

export type TimerWatchOptions = {
  readonly timers: TimerStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Timers at work at once, without those that take long: of these, four times as many. */
  readonly concurrency: number;
  /** When a timer at work is one that takes long, and how often its claim is renewed. Default half of a claim. */
  readonly longMs?: number;
  /** Longest pause between two looks, in milliseconds: timers of other instances are seen by then. */
  readonly pollMs: number;
  readonly fire: (timer: Timer) => Promise<void>;
};

/** How long a claimed timer is left to who claimed it; who is at it for longer renews the claim. */
export const CLAIM_MS = 10_000;

type Firing = { readonly done: Promise<void>; isLong: boolean };

/** Fires timers when they are due. Every instance watches; a timer is claimed by one of them at a time. */
export class TimerWatch {
  readonly #options: TimerWatchOptions;
  #closed = false;
  #timeout: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  readonly #firing = new Set<Firing>();
  /** True where the last look left timers that were due. */
  #isFull = false;
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
    await Promise.all([...this.#firing].map(({ done }) => done));
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
      // What is due already is looked for when there is room for it.
      if (!this.#isFull) next = await this.#options.timers.nextDue(this.#after(this.#options.pollMs));
    } catch (error) {
      this.#warn(error, 'Due timers could not be looked for');
    }
    this.#lookIn(this.#pauseMs(next));
  }

  async #fireAllDue(): Promise<void> {
    const { timers, clock } = this.#options;
    for (;;) {
      const limit = this.#room();
      this.#isFull = limit === 0;
      if (this.#isFull || this.#closed) return;
      const due = await timers.claimDue({ now: clock.now(), claimedUntil: this.#after(CLAIM_MS), limit });
      for (const timer of due) this.#begin(timer);
      if (due.length < limit) return;
    }
  }

  #room(): number {
    const { concurrency } = this.#options;
    const short = [...this.#firing].filter(({ isLong }) => !isLong).length;
    return Math.max(0, Math.min(concurrency - short, concurrency * LONG_PER_SHORT - this.#firing.size));
  }

  #begin(timer: Timer): void {
    const { timers, longMs = LONG_MS } = this.#options;
    const firing: Firing = {
      done: this.#fire(timer).finally(() => this.#end(firing, renewal)),
      isLong: false,
    };
    const renewal = setInterval(() => {
      firing.isLong = true;
      this.#makeRoom();
      timers
        .extendClaim(timer, this.#after(CLAIM_MS))
        .catch((error: unknown) =>
          this.#warn(error, 'The claim of a timer could not be renewed', timer.runId),
        );
    }, longMs);
    this.#firing.add(firing);
  }

  #end(firing: Firing, renewal: NodeJS.Timeout): void {
    clearInterval(renewal);
    this.#firing.delete(firing);
    this.#makeRoom();
  }

  #makeRoom(): void {
    if (this.#isFull && this.#room() > 0) this.expect(this.#options.clock.now());
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
