// A global is looked up anew at every use where a test runner isolates globals: not in the innermost loop.
const { imul } = Math;

export const NO_RANK = 0x7fffffff;

/**
 * The tokens of an encoding by their bytes: an open-addressing table over one block of bytes, so that a lookup
 * makes no string and no copy. A rank is also the token's id.
 */
export class Vocabulary {
  readonly longestToken: number;
  private readonly slots: Int32Array;
  private readonly pairs = new Int32Array(0x10000).fill(NO_RANK);

  /** `bytes` holds the tokens one after the other in rank order; token r starts at `starts[r]`. */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly starts: Int32Array,
  ) {
    const size = starts.length - 1;
    this.slots = new Int32Array(2 ** Math.ceil(Math.log2(size * 2))).fill(-1);
    let longest = 0;
    for (let rank = 0; rank < size; rank += 1) {
      longest = Math.max(longest, starts[rank + 1]! - starts[rank]!);
      this.insert(rank);
    }
    this.longestToken = longest;
  }

  /** The rank of the two-byte token. */
  rankOfPair(first: number, second: number): number {
    return this.pairs[(first << 8) | second]!;
  }

  /** The rank of `source[start, end)` as one token, or `NO_RANK`. */
  rankOf(source: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (length === 2) return this.rankOfPair(source[start]!, source[start + 1]!);
    if (length > this.longestToken) return NO_RANK;
    return this.rankOfHashed(hashOf(source, start, end), source, start, end);
  }

  /** `rankOf` for a caller that has the hash of `source[start, end)` at hand. */
  rankOfHashed(hash: number, source: Uint8Array, start: number, end: number): number {
    const length = end - start;
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let rank = this.slots[slot]!; rank !== -1; rank = this.slots[slot]!) {
      const at = this.starts[rank]!;
      if (this.starts[rank + 1]! - at === length && this.holds(at, source, start, end)) return rank;
      slot = (slot + 1) & mask;
    }
    return NO_RANK;
  }

  private holds(at: number, source: Uint8Array, start: number, end: number): boolean {
    for (let from = start, to = at; from < end; from += 1, to += 1)
      if (source[from] !== this.bytes[to]) return false;
    return true;
  }

  private insert(rank: number): void {
    const start = this.starts[rank]!;
    const end = this.starts[rank + 1]!;
    if (end - start === 2) this.pairs[(this.bytes[start]! << 8) | this.bytes[start + 1]!] = rank;
    const mask = this.slots.length - 1;
    let slot = hashOf(this.bytes, start, end) & mask;
    while (this.slots[slot] !== -1) slot = (slot + 1) & mask;
    this.slots[slot] = rank;
  }
}

/** FNV-1a, its high bits folded into the low ones, which choose the slot. */
export function hashOf(source: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let at = start; at < end; at += 1) value = imul(value ^ source[at]!, 0x01000193);
  return value ^ (value >>> 15);
}
