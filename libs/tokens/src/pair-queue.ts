/** 2^32: a rank and a position below it fit a double exactly, and compare as (rank, position). */
const POSITIONS = 0x1_0000_0000;

const { floor } = Math;

/** A binary min-heap of (rank, position). `add` and one `order` fill it in linear time, `push` and `next` keep it. */
export class PairQueue {
  rank = 0;
  position = 0;
  private keys: Float64Array;
  private size = 0;

  constructor(capacity: number) {
    this.keys = new Float64Array(Math.max(16, capacity));
  }

  /** Appends without keeping the order: `order` must follow. */
  add(rank: number, position: number): void {
    this.keys[this.size] = rank * POSITIONS + position;
    this.size += 1;
  }

  order(): void {
    for (let at = (this.size >> 1) - 1; at >= 0; at -= 1) this.sink(this.keys[at]!, at);
  }

  push(rank: number, position: number): void {
    if (this.size === this.keys.length) this.grow();
    const key = rank * POSITIONS + position;
    const keys = this.keys;
    let at = this.size;
    this.size += 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent]! <= key) break;
      keys[at] = keys[parent]!;
      at = parent;
    }
    keys[at] = key;
  }

  /** Takes the least pair out into `rank` and `position`; false when there is none. */
  next(): boolean {
    if (this.size === 0) return false;
    const least = this.keys[0]!;
    this.rank = floor(least / POSITIONS);
    this.position = least - this.rank * POSITIONS;
    this.size -= 1;
    if (this.size > 0) this.sink(this.keys[this.size]!, 0);
    return true;
  }

  /** Lets `key` take a place at `hole` or below it. */
  private sink(key: number, hole: number): void {
    const { keys, size } = this;
    let at = hole;
    for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && keys[child + 1]! < keys[child]!) child += 1;
      if (keys[child]! >= key) break;
      keys[at] = keys[child]!;
      at = child;
    }
    keys[at] = key;
  }

  private grow(): void {
    const larger = new Float64Array(this.keys.length * 2);
    larger.set(this.keys);
    this.keys = larger;
  }
}
