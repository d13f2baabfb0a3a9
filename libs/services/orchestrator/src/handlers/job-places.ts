/** Work that takes longer gives its place to other work: a run may wait for a model for minutes. */
export const LONG_MS = 5000;
/** For each place, so many may be at work in all, those that take long among them. */
export const LONG_PER_SHORT = 4;

/** Acts once after that time, unless what it gives is called before. */
export type StartTimer = (milliseconds: number, act: () => void) => () => void;

/** Places for jobs at work at once. Work that takes long goes on without one, so that models hold up no other runs. */
export class JobPlaces {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(
    private readonly places: number,
    private readonly startTimer: StartTimer = systemTimer,
  ) {
    this.#free = places;
  }

  /** Most jobs to be taken at once, at work or waiting for a place. */
  get most(): number {
    return this.places * LONG_PER_SHORT;
  }

  /** Waits for a place first, in the order of the calls; settles as the work does. */
  async within<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#take();
    const leave = onlyOnce(() => this.#giveUp());
    const stopTimer = this.startTimer(LONG_MS, leave);
    try {
      return await work();
    } finally {
      stopTimer();
      leave();
    }
  }

  #take(): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free -= 1;
    return undefined;
  }

  #giveUp(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

const systemTimer: StartTimer = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
};

function onlyOnce(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}
