/** The bus's only way to wait. */
export interface Timers {
  /** Runs once after the delay, unless the returned function was called before. */
  after(delayMs: number, run: () => void): () => void;
}

/** Node refuses longer timers; whoever waits looks again when one fires. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** They do not keep the process alive. */
export const systemTimers: Timers = {
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(delayMs, 0), LONGEST_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
