import type { RunKey } from '../orchestrator-ports.js';

/** When to look at a run again, as decided at a head of its log. */
export type Timer = RunKey & { readonly head: number; readonly dueAt: Date };

/**
 * One timer per run at most. What was decided at an older head never replaces what was decided at a newer one, so a
 * slow orchestrator cannot delay a run. Times come from the caller.
 */
export interface TimerStore {
  /** Replaces the run's timer and its claim, unless that was decided at a newer head. */
  set(timer: Timer): Promise<void>;
  /** Removes the run's timer, unless it was decided at a newer head than the one given. */
  clear(run: RunKey, head?: number): Promise<void>;
  /** At most `limit` due timers, the most overdue first; nobody else gets them until `claimedUntil`. */
  claimDue(claim: {
    readonly now: Date;
    readonly claimedUntil: Date;
    readonly limit: number;
  }): Promise<readonly Timer[]>;
  /** Lets the claim of a timer last longer, unless the timer was set anew or removed since. */
  extendClaim(timer: Timer, claimedUntil: Date): Promise<void>;
  /** When the next timer can be claimed, where that is at `horizon` or before. */
  nextDue(horizon: Date): Promise<Date | undefined>;
}
