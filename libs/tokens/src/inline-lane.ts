/** Runs small pieces of work on the event loop, at most `units` of it between two turns of the loop, in order. */
export class InlineLane {
  private readonly waiting: { readonly units: number; readonly run: () => void }[] = [];
  private spent = 0;
  private scheduled = false;

  constructor(private readonly unitsPerTurn: number) {}

  /** At once while this turn has units left, so that a lone small text waits for nothing. */
  do<Result>(units: number, work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const run = (): void => {
        try {
          resolve(work());
        } catch (error) {
          reject(error as Error);
        }
      };
      this.waiting.push({ units, run });
      if (this.waiting.length === 1) this.runTurn();
    });
  }

  private runTurn(): void {
    while (this.waiting.length > 0 && this.spent < this.unitsPerTurn) {
      const { units, run } = this.waiting.shift()!;
      this.spent += units;
      run();
    }
    if (this.scheduled || this.spent === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.spent = 0;
      this.runTurn();
    });
  }
}
