import { PairQueue } from './pair-queue.js';
import { NO_RANK, type Vocabulary } from './vocabulary.js';

export type MergedPiece = {
  readonly tokens: number;
  /** Where the token that starts at a byte ends; read from 0 on, each end being the next start. */
  readonly ends: Int32Array;
};

/**
 * Merges a piece of any length, in O(n log n): the parts are a linked list, the pairs that may merge wait in a
 * queue by (rank, position). A pair that changed meanwhile leaves a stale entry, known by its rank: the bytes of the
 * pair at a position only grow, so that no rank comes back there.
 */
export function mergeLongPiece(piece: Uint8Array, vocabulary: Vocabulary): MergedPiece {
  const length = piece.length;
  // Parts are named by where they start; ends[i] is where part i ends, before[i] the start of the part before it.
  const ends = new Int32Array(length);
  const before = new Int32Array(length);
  const ranks = new Int32Array(length);
  const queue = new PairQueue(length);
  for (let at = 0; at < length; at += 1) {
    ends[at] = at + 1;
    before[at] = at - 1;
    ranks[at] = at + 1 < length ? vocabulary.rankOfPair(piece[at]!, piece[at + 1]!) : NO_RANK;
    if (ranks[at] !== NO_RANK) queue.add(ranks[at]!, at);
  }
  queue.order();

  let parts = length;
  while (queue.next()) {
    const at = queue.position;
    if (ranks[at] !== queue.rank) continue;
    parts -= 1;
    const merged = ends[at]!;
    const end = ends[merged]!;
    ranks[merged] = NO_RANK;
    ends[at] = end;
    ranks[at] = end < length ? vocabulary.rankOf(piece, at, ends[end]!) : NO_RANK;
    if (end < length) before[end] = at;
    if (ranks[at] !== NO_RANK) queue.push(ranks[at], at);
    const previous = before[at]!;
    if (previous < 0) continue;
    ranks[previous] = vocabulary.rankOf(piece, previous, end);
    if (ranks[previous] !== NO_RANK) queue.push(ranks[previous], previous);
  }
  return { tokens: parts, ends };
}
