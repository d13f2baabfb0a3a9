/** Runs small pieces of work on the event loop, at most `unitsPerTurn` of it in one turn of the loop, in order. */
export class InlineLane {
  private readonly waiting: { readonly units: number; readonly start: () => void }[] = [];
  private spent = 0;
  private turnEnds = false;

  private readonly unitsPerTurn: number;

  /** At least one unit a turn: with none, nothing would ever run. */
  constructor(unitsPerTurn: number) {
    this.unitsPerTurn = Math.max(1, unitsPerTurn);
  }

  /** At once while this turn has units left, so that a lone small text waits for nothing. */
  async do<Result>(units: number, work: () => Result): Promise<Result> {
    if (this.waiting.length === 0 && this.spent < this.unitsPerTurn) this.take(units);
    else await new Promise<void>((start) => this.waiting.push({ units, start }));
    return work();
  }

  private take(units: number): void {
    this.spent += units;
    if (this.turnEnds) return;
    this.turnEnds = true;
    setImmediate(() => this.nextTurn());
  }

  private nextTurn(): void {
    this.spent = 0;
    this.turnEnds = false;
    while (this.waiting.length > 0 && this.spent < this.unitsPerTurn) {
      const { units, start } = this.waiting.shift()!;
      this.take(units);
      start();
    }
  }
}
