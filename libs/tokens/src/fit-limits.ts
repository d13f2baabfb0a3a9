/** How far around a guessed cut every cut is tried: code points, and UTF-16 units counted altogether. */
export const CUT_SEARCH = { points: 128, units: 32_000 } as const;

/** In pieces longer than this a cut is guessed from the tokens of the piece. */
export const MERGED_PIECE_UNITS = 96;

/** Units looked at first: text has about four a token; the window doubles while it holds too few tokens. */
export function windowUnits(maxTokens: number): number {
  return maxTokens * 6 + 256;
}

/**
 * Tokens a window must hold before a cut in it is the cut of the text: its pieces at the edge are cut themselves. A
 * token is at least a byte, so that these reach beyond every cut that is tried.
 */
export function enoughTokens(maxTokens: number): number {
  return Math.min(2 * maxTokens, maxTokens + 4 * CUT_SEARCH.points);
}
