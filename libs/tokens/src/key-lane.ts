import { doubled, NO_KEY } from './key-heap.js';

/** Numbers that come in ascending order and leave in it. */
export class KeyLane {
  /** The least key, or `NO_KEY`. */
  least: number;
  private last: number;
  private read = 0;
  private size: number;

  /** Starts with `size` sorted keys. */
  constructor(
    private keys: Float64Array<ArrayBuffer>,
    size: number,
  ) {
    this.size = size;
    this.least = size > 0 ? keys[0]! : NO_KEY;
    this.last = size > 0 ? keys[size - 1]! : 0;
  }

  /** Takes `key` in unless it is less than what came before it. */
  accept(key: number): boolean {
    if (key < this.last) return false;
    if (this.size === this.keys.length) this.keys = doubled(this.keys);
    this.keys[this.size] = key;
    this.size += 1;
    this.last = key;
    if (this.least === NO_KEY) this.least = key;
    return true;
  }

  /** Removes the least key; an empty lane starts anew. */
  drop(): void {
    this.read += 1;
    if (this.read < this.size) {
      this.least = this.keys[this.read]!;
      return;
    }
    this.read = 0;
    this.size = 0;
    this.last = 0;
    this.least = NO_KEY;
  }
}
