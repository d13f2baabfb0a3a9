/** What `least` is when there is none: more than any key. */
export const NO_KEY = Number.POSITIVE_INFINITY;

/** A min-heap of numbers with four children a node. */
export class KeyHeap {
  /** The least key, or `NO_KEY`. */
  least: number = NO_KEY;
  private keys = new Float64Array(64);
  private size = 0;

  push(key: number): void {
    if (this.size === this.keys.length) this.keys = doubled(this.keys);
    const { keys } = this;
    let at = this.size;
    this.size += 1;
    while (at > 0) {
      const parent = (at - 1) >> 2;
      if (keys[parent]! <= key) break;
      keys[at] = keys[parent]!;
      at = parent;
    }
    keys[at] = key;
    this.least = keys[0]!;
  }

  /** Removes the least key. */
  drop(): void {
    this.size -= 1;
    const { keys, size } = this;
    const key = keys[size]!;
    let at = 0;
    for (let first = 1; first < size; first = 4 * at + 1) {
      let child = first;
      const end = first + 4 < size ? first + 4 : size;
      for (let other = first + 1; other < end; other += 1) if (keys[other]! < keys[child]!) child = other;
      if (keys[child]! >= key) break;
      keys[at] = keys[child]!;
      at = child;
    }
    keys[at] = key;
    this.least = size > 0 ? keys[0]! : NO_KEY;
  }
}

export function doubled(keys: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(keys.length * 2);
  larger.set(keys);
  return larger;
}
