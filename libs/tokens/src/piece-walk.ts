import type { Encoding } from './encoding.js';

/** The pieces of a text: piece i starts at starts[i], and sums[i] tokens stand before it. */
export type PieceWalk = {
  readonly starts: number[];
  readonly sums: number[];
  /** Tokens of all pieces walked, and where the last one ends. */
  readonly total: number;
  readonly end: number;
};

/** Counts piece by piece until the sum is over `limit` tokens or the text ends. */
export function walkPieces(encoding: Encoding, text: string, limit = Number.POSITIVE_INFINITY): PieceWalk {
  const starts: number[] = [];
  const sums: number[] = [];
  let total = 0;
  let end = 0;
  while (end < text.length && total <= limit) {
    const start = end;
    starts.push(start);
    sums.push(total);
    end = encoding.endOfPiece(text, start);
    total += encoding.countPiece(text, start, end);
  }
  return { starts, sums, total, end };
}

/** The index of the last value in ascending `values` that is at most `value`. */
export function lastAtMost(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
