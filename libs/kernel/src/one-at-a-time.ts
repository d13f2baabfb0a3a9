/**
 * Work of the same key one after another, in the order it came; work of different keys side by side. It keeps
 * writers of one process from racing each other for a place that only one of them can get; other processes
 * still race, so whoever uses it is right without it, only slower.
 */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Settles as the work does. Work that fails holds up nobody. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work);
    const settled = mine.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }

  /** Keys with work at hand. */
  get size(): number {
    return this.#last.size;
  }
}
