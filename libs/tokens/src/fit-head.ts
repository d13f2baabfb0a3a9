import type { TokenCounterName } from '@palimpsest/contracts';
import { classAt, WHITE_SPACE } from './character-classes.js';
import { backward, forward, splitsPair } from './code-points.js';
import type { Encoding } from './encoding.js';
import { encodingOf } from './encodings.js';
import { CUT_SEARCH, enoughTokens, MERGED_PIECE_UNITS, windowUnits } from './fit-limits.js';
import { lastAtMost, walkPieces, type PieceWalk } from './piece-walk.js';

/**
 * The longest prefix of `text` whose own count is at most `maxTokens`, cut between code points. Reads O(maxTokens) of
 * the text. The count of the answer is exact and within the bound for every input; that no longer prefix fits is exact
 * as long as the piece at the cut has at most `CUT_SEARCH.points` code points (words, not base64), else within a token.
 */
export function fitHead(text: string, counter: TokenCounterName, maxTokens: number): string {
  if (!(maxTokens >= 1)) return '';
  if (counter === 'chars') return text.slice(0, forward(text, 0, maxTokens));
  const encoding = encodingOf(counter);
  for (let units = windowUnits(maxTokens); ; units *= 2) {
    const whole = units >= text.length;
    const window = whole ? text : text.slice(0, splitsPair(text, units) ? units - 1 : units);
    const walk = walkPieces(encoding, window, maxTokens);
    if (whole && walk.total <= maxTokens) return text;
    if (
      whole ||
      walk.total > enoughTokens(maxTokens) ||
      (walk.total > maxTokens && units - walk.end > 2 * CUT_SEARCH.points)
    )
      return window.slice(0, cutHead(encoding, window, { walk, maxTokens }));
  }
}

type Search = { readonly walk: PieceWalk; readonly maxTokens: number };

function cutHead(encoding: Encoding, text: string, { walk, maxTokens }: Search): number {
  let spent = 0;
  const fits = (cut: number): boolean => {
    const piece = safePiece(text, walk, cut);
    spent += cut - walk.starts[piece]!;
    return walk.sums[piece]! + encoding.count(text.slice(walk.starts[piece], cut)) <= maxTokens;
  };
  let cut = guessHead(encoding, text, { walk, maxTokens });
  for (let back = 1; !fits(cut); back *= 2) cut = backward(text, cut, back);
  // A longer prefix may count less (its last piece completes a token): all near ones are tried, not only the next.
  let candidate = cut;
  for (let tried = 0; tried < CUT_SEARCH.points && spent < CUT_SEARCH.units; tried += 1) {
    if (candidate >= text.length) break;
    candidate = forward(text, candidate, 1);
    if (fits(candidate)) cut = candidate;
  }
  return cut;
}

/** The start of the piece that goes over the bound or, in a long one, the end of the last token that fits. */
function guessHead(encoding: Encoding, text: string, { walk, maxTokens }: Search): number {
  const last = walk.starts.length - 1;
  const start = walk.starts[last]!;
  if (walk.end - start <= MERGED_PIECE_UNITS) return start;
  const { ends } = encoding.mergePiece(text, start, walk.end);
  let bytes = 0;
  for (let left = maxTokens - walk.sums[last]!; left > 0 && bytes < ends.length; left -= 1)
    bytes = ends[bytes]!;
  return unitsWithin(text, start, bytes);
}

function unitsWithin(text: string, start: number, bytes: number): number {
  let at = start;
  for (let left = bytes; at < text.length;) {
    const next = forward(text, at, 1);
    left -= Buffer.byteLength(text.slice(at, next));
    if (left < 0) break;
    at = next;
  }
  return at;
}

/**
 * The last piece before `cut` that a text ending at `cut` has too. How a run of white space is split depends on where
 * the run ends, so that only a start behind something else is certain.
 */
function safePiece(text: string, walk: PieceWalk, cut: number): number {
  let piece = lastAtMost(walk.starts, cut);
  while (piece > 0 && (classAt(text, walk.starts[piece]! - 1) & WHITE_SPACE) !== 0) piece -= 1;
  return piece;
}
