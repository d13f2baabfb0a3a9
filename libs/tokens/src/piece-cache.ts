const SLOTS = 0x1_0000;
const SLOT_BYTES = 32;

/**
 * Counts of short pieces seen before, in a block of fixed size: a piece has one slot, by its hash, and takes it over
 * from the piece before it. The bytes are compared, so that a count is never another piece's. Text that repeats
 * little (base64) loses next to nothing, and no string is kept alive.
 */
export class PieceCache {
  private readonly bytes = new Uint8Array(SLOTS * SLOT_BYTES);
  private readonly lengths = new Uint8Array(SLOTS);
  private readonly counts = new Uint8Array(SLOTS);

  /** The count stored for this piece, or 0. */
  find(hash: number, piece: Uint8Array, length: number): number {
    const slot = hash & (SLOTS - 1);
    if (this.lengths[slot] !== length) return 0;
    const offset = slot * SLOT_BYTES;
    for (let at = 0; at < length; at += 1) if (this.bytes[offset + at] !== piece[at]) return 0;
    return this.counts[slot]!;
  }

  store(hash: number, piece: Uint8Array, entry: { readonly length: number; readonly count: number }): void {
    if (entry.length > SLOT_BYTES) return;
    const slot = hash & (SLOTS - 1);
    const offset = slot * SLOT_BYTES;
    for (let at = 0; at < entry.length; at += 1) this.bytes[offset + at] = piece[at]!;
    this.lengths[slot] = entry.length;
    this.counts[slot] = entry.count;
  }
}
