import { KeyHeap, NO_KEY } from './key-heap.js';
import { KeyLane } from './key-lane.js';

/** 2^32: a rank and a position below it fit a double exactly, and compare as (rank, position). */
const POSITIONS = 0x1_0000_0000;
const LANES = 3;

const { floor } = Math;

/**
 * Pairs by (rank, position), least first. Those known at the start are sorted once. Those that come later mostly
 * come in a few ascending sequences (where the text repeats itself, entirely so), which lanes keep in constant time;
 * what fits no lane waits in a heap.
 */
export class PairQueue {
  rank = 0;
  position = 0;
  private readonly initial: Float64Array<ArrayBuffer>;
  private initialSize = 0;
  private lanes: readonly KeyLane[] = [];
  private readonly heap = new KeyHeap();

  /** `capacity` bounds the pairs that `add` may bring. */
  constructor(capacity: number) {
    this.initial = new Float64Array(capacity);
  }

  /** Adds a pair known at the start; `order` must follow before any is taken. */
  add(rank: number, position: number): void {
    this.initial[this.initialSize] = rank * POSITIONS + position;
    this.initialSize += 1;
  }

  order(): void {
    const sorted = this.initial.subarray(0, this.initialSize).sort();
    this.lanes = [
      new KeyLane(sorted, sorted.length),
      ...Array.from({ length: LANES }, () => new KeyLane(new Float64Array(64), 0)),
    ];
  }

  push(rank: number, position: number): void {
    const key = rank * POSITIONS + position;
    // Lane 0 is left to the initial pairs: a late key of high rank would close it to all others.
    for (let at = 1; at <= LANES; at += 1) if (this.lanes[at]!.accept(key)) return;
    this.heap.push(key);
  }

  /** Takes the least pair out into `rank` and `position`; false when there is none. */
  next(): boolean {
    let from: KeyLane | undefined;
    let { least } = this.heap;
    for (let at = 0; at <= LANES; at += 1) {
      const lane = this.lanes[at]!;
      if (lane.least >= least) continue;
      from = lane;
      least = lane.least;
    }
    if (least === NO_KEY) return false;
    if (from) from.drop();
    else this.heap.drop();
    this.rank = floor(least / POSITIONS);
    this.position = least - this.rank * POSITIONS;
    return true;
  }
}
