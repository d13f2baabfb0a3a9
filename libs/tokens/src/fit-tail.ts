import type { TokenCounterName } from '@palimpsest/contracts';
import { backward, forward, splitsPair } from './code-points.js';
import type { Encoding } from './encoding.js';
import { encodingOf } from './encodings.js';
import { CUT_SEARCH, enoughTokens, MERGED_PIECE_UNITS, windowUnits } from './fit-limits.js';
import { lastAtMost, walkPieces, type PieceWalk } from './piece-walk.js';

/** The longest suffix of `text` whose own count is at most `maxTokens`; bounds and exactness as of `fitHead`. */
export function fitTail(text: string, counter: TokenCounterName, maxTokens: number): string {
  if (!(maxTokens >= 1)) return '';
  if (counter === 'chars') return text.slice(backward(text, text.length, maxTokens));
  const encoding = encodingOf(counter);
  for (let units = windowUnits(maxTokens); ; units *= 2) {
    const from = Math.max(0, text.length - units);
    const window = text.slice(splitsPair(text, from) ? from + 1 : from);
    const walk = walkPieces(encoding, window);
    if (from === 0 && walk.total <= maxTokens) return text;
    if (from === 0 || walk.total > enoughTokens(maxTokens)) {
      return window.slice(cutTail(encoding, window, { walk, maxTokens }));
    }
  }
}

type Search = { readonly walk: PieceWalk; readonly maxTokens: number };

function cutTail(encoding: Encoding, text: string, { walk, maxTokens }: Search): number {
  let spent = 0;
  const fits = (cut: number): boolean => {
    const { tokens, read } = countFrom(encoding, text, { walk, cut });
    spent += read;
    return tokens <= maxTokens;
  };
  let cut = guessTail(encoding, text, { walk, maxTokens });
  for (let on = 1; !fits(cut); on *= 2) cut = forward(text, cut, on);
  let candidate = cut;
  for (let tried = 0; tried < CUT_SEARCH.points && spent < CUT_SEARCH.units && candidate > 0; tried += 1) {
    candidate = backward(text, candidate, 1);
    if (fits(candidate)) cut = candidate;
  }
  return cut;
}

/** Cutting never looks back: as soon as the pieces from `cut` meet a piece of the walk, they are the walk's. */
function countFrom(
  encoding: Encoding,
  text: string,
  { walk, cut }: { readonly walk: PieceWalk; readonly cut: number },
): { readonly tokens: number; readonly read: number } {
  let tokens = 0;
  let at = cut;
  let piece = lastAtMost(walk.starts, at);
  while (at < text.length && walk.starts[piece] !== at) {
    const end = encoding.endOfPiece(text, at);
    tokens += encoding.countPiece(text, at, end);
    at = end;
    while (piece + 1 < walk.starts.length && walk.starts[piece + 1]! <= at) piece += 1;
  }
  return { tokens: at < text.length ? tokens + walk.total - walk.sums[piece]! : tokens, read: at - cut };
}

/** The end of the piece that goes over the bound or, in a long one, the start of the first token that fits. */
function guessTail(encoding: Encoding, text: string, { walk, maxTokens }: Search): number {
  const over = lastAtMost(walk.sums, walk.total - maxTokens - 1);
  const start = walk.starts[over]!;
  const end = walk.starts[over + 1] ?? text.length;
  if (end - start <= MERGED_PIECE_UNITS) return end;
  const { ends, tokens } = encoding.mergePiece(text, start, end);
  const dropped = tokens - (maxTokens - (walk.total - (walk.sums[over + 1] ?? walk.total)));
  let bytes = 0;
  for (let left = dropped; left > 0 && bytes < ends.length; left -= 1) bytes = ends[bytes]!;
  return unitsBehind(text, end, ends.length - bytes);
}

function unitsBehind(text: string, end: number, bytes: number): number {
  let at = end;
  for (let left = bytes; at > 0;) {
    const next = backward(text, at, 1);
    left -= Buffer.byteLength(text.slice(next, at));
    if (left < 0) break;
    at = next;
  }
  return at;
}
