type Slot = {
  readonly current: Promise<unknown>;
  /** Begins when `current` has settled; whoever asks meanwhile shares it. */
  queued?: Promise<unknown>;
};

/**
 * Equal reads at once become one. Whoever asks while a read is on its way gets the one after it, never that one: it may
 * have looked before the thing happened that made the caller ask.
 */
export class SharedReads {
  readonly #slots = new Map<string, Slot>();

  read<Result>(key: string, perform: () => Promise<Result>): Promise<Result> {
    const slot = this.#slots.get(key);
    if (!slot) return this.#start(key, perform);
    slot.queued ??= slot.current.then(
      () => this.#start(key, perform),
      () => this.#start(key, perform),
    );
    return slot.queued as Promise<Result>;
  }

  /** Keys that are being read. */
  get size(): number {
    return this.#slots.size;
  }

  #start<Result>(key: string, perform: () => Promise<Result>): Promise<Result> {
    const current = perform();
    const slot: Slot = { current };
    this.#slots.set(key, slot);
    const done = (): void => {
      if (slot.queued === undefined && this.#slots.get(key) === slot) this.#slots.delete(key);
    };
    current.then(done, done);
    return current;
  }
}
