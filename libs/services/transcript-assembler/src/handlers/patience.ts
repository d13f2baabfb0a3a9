/** How long one window waits for workers, over all the jobs that it needs. Runs from the first time it is needed. */
export class Patience {
  readonly #ended: Promise<void>;
  #end: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(private readonly deadlineMs: number) {
    this.#ended = new Promise((resolve) => (this.#end = resolve));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Settles with the work, or when the deadline passes. */
  async within(work: Promise<void>): Promise<void> {
    this.#timer ??= setTimeout(() => this.pass(), this.deadlineMs);
    await Promise.race([work, this.#ended]);
  }

  /** The window has what it needs. */
  end(): void {
    clearTimeout(this.#timer);
  }

  private pass(): void {
    this.#isOver = true;
    this.#end();
  }
}
