import type { RunKey } from '../orchestrator-ports.js';
import type { Timer, TimerStore } from './timer-store.js';

type Row = { readonly timer: Timer; readonly claimedUntil?: Date };

/** Timers of one process's life, for tests. */
export class MemoryTimerStore implements TimerStore {
  readonly #rows = new Map<string, Row>();

  set(timer: Timer): Promise<void> {
    const before = this.#rows.get(keyOf(timer));
    if (!before || before.timer.head <= timer.head) this.#rows.set(keyOf(timer), { timer });
    return Promise.resolve();
  }

  clear(run: RunKey, head = Infinity): Promise<void> {
    const before = this.#rows.get(keyOf(run));
    if (before && before.timer.head <= head) this.#rows.delete(keyOf(run));
    return Promise.resolve();
  }

  claimDue({ now, claimedUntil, limit }: Parameters<TimerStore['claimDue']>[0]): Promise<readonly Timer[]> {
    const due = [...this.#rows.values()]
      .filter((row) => claimableAt(row) <= now)
      .sort((left, right) => left.timer.dueAt.getTime() - right.timer.dueAt.getTime())
      .slice(0, limit);
    for (const { timer } of due) this.#rows.set(keyOf(timer), { timer, claimedUntil });
    return Promise.resolve(due.map(({ timer }) => timer));
  }

  extendClaim(timer: Timer, claimedUntil: Date): Promise<void> {
    const row = this.#rows.get(keyOf(timer));
    if (row?.claimedUntil && row.timer.head === timer.head)
      this.#rows.set(keyOf(timer), { timer: row.timer, claimedUntil });
    return Promise.resolve();
  }

  nextDue(horizon: Date): Promise<Date | undefined> {
    const times = [...this.#rows.values()].map((row) => claimableAt(row).getTime());
    const earliest = Math.min(...times);
    return Promise.resolve(earliest <= horizon.getTime() ? new Date(earliest) : undefined);
  }
}

function claimableAt({ timer, claimedUntil }: Row): Date {
  return claimedUntil && claimedUntil > timer.dueAt ? claimedUntil : timer.dueAt;
}

function keyOf({ tenantId, runId }: RunKey): string {
  return `${tenantId}/${runId}`;
}
