/** Pairs that are remembered, those compared last. */
const MOST_PAIRS = 256;

export type PairKey = { readonly tenantId: string; readonly runId: string; readonly otherRunId: string };

/**
 * How far two logs are known to be equal. Logs only grow, so that stays true, and the pages of a long comparison do not
 * each begin anew. Memory is a shortcut and nothing else: whatever it holds, the answer is the logs'.
 */
export class KnownEqual {
  readonly #events = new Map<string, number>();

  /** The first so many events are equal; 0 where nothing is known. */
  below(pair: PairKey): number {
    return this.#events.get(textOf(pair)) ?? 0;
  }

  remember(pair: PairKey, events: number): void {
    const key = textOf(pair);
    this.#events.delete(key);
    this.#events.set(key, events);
    const [oldest] = this.#events.keys();
    if (this.#events.size > MOST_PAIRS && oldest !== undefined) this.#events.delete(oldest);
  }
}

function textOf({ tenantId, runId, otherRunId }: PairKey): string {
  return [tenantId, ...[runId, otherRunId].sort()].join('/');
}
