/** What was opened on the way; closed in reverse order, all of it, also where the way ended early. */
export class Closers {
  readonly #closers: (() => Promise<void>)[] = [];

  add(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let last = this.#closers.pop(); last; last = this.#closers.pop()) {
      await last().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be closed.');
  }

  /** Opens; where that fails, closes what had been opened before. */
  static async around<Opened>(open: (closers: Closers) => Promise<Opened>): Promise<Opened> {
    const closers = new Closers();
    try {
      return await open(closers);
    } catch (error) {
      await closers.close();
      throw error;
    }
  }
}
