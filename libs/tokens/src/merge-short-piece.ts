import { NO_RANK, type Vocabulary } from './vocabulary.js';

/** Up to this many bytes the plain search for the lowest rank beats a heap. */
export const SHORT_PIECE_BYTES = 96;

// Part i is piece[starts[i], starts[i + 1]); ranks[i] is the rank of parts i and i + 1 as one token.
const starts = new Int32Array(SHORT_PIECE_BYTES + 1);
const ranks = new Int32Array(SHORT_PIECE_BYTES + 1);

/** Tokens of a piece of 1 to `SHORT_PIECE_BYTES` bytes: merges the leftmost pair of lowest rank until none is left. */
export function countShortPiece(piece: Uint8Array, length: number, vocabulary: Vocabulary): number {
  for (let at = 0; at < length; at += 1) {
    starts[at] = at;
    ranks[at] = at + 1 < length ? vocabulary.rankOfPair(piece[at]!, piece[at + 1]!) : NO_RANK;
  }
  starts[length] = length;

  let parts = length;
  for (let at = indexOfLowest(parts); ranks[at] !== NO_RANK; at = indexOfLowest(parts)) {
    parts -= 1;
    removePart(at + 1, parts);
    ranks[at] = at + 1 < parts ? vocabulary.rankOf(piece, starts[at]!, starts[at + 2]!) : NO_RANK;
    if (at > 0) ranks[at - 1] = vocabulary.rankOf(piece, starts[at - 1]!, starts[at + 1]!);
  }
  return parts;
}

function indexOfLowest(parts: number): number {
  let lowest = 0;
  for (let at = 1; at < parts; at += 1) if (ranks[at]! < ranks[lowest]!) lowest = at;
  return lowest;
}

function removePart(index: number, parts: number): void {
  for (let at = index; at < parts; at += 1) {
    starts[at] = starts[at + 1]!;
    ranks[at] = ranks[at + 1]!;
  }
  starts[parts] = starts[parts + 1]!;
}
