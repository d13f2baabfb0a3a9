import type { PlannedRendering } from './rendering-plan.js';
import type { TranscriptRow } from './turn.js';

/** Most messages of one part of a summary that is made in parts. */
const PART_MESSAGES = 64;
/** Most tokens of one part, as a share of what a job may hold. */
const PART_SHARE = 1 / 8;
/** Most parts of one summary: each is a job, and all of them are read by the last one. */
const MOST_PARTS = 32;

/** What one summary may stand for. */
export type ChunkBounds = {
  /** `replacedTurns` takes 512 ids, of which some are absorbed summaries. */
  readonly messages: number;
  /** Tokens of the messages in full, as the summarizer reads them. One message alone may be larger. */
  readonly tokens: number;
  /** Of a replay: the ends of what the recorded summaries stand for. They divide as they did then, whatever a job may hold now. */
  readonly recorded?: RecordedEnds;
};

export type RecordedEnds = { readonly firsts: ReadonlySet<number>; readonly lasts: ReadonlySet<number> };

export type ReplacedChunk = { readonly rows: readonly TranscriptRow[] };

/** Messages in log order, in chunks that one summary may stand for. */
export function replacedChunks(rows: readonly TranscriptRow[], bounds: ChunkBounds): ReplacedChunk[] {
  const sorted = [...rows].sort((a, b) => a.sequence - b.sequence);
  return divided(sorted, bounds).map((part) => ({ rows: part }));
}

/** A chunk in parts that are summarized each by itself. */
export function partsOf(rows: readonly TranscriptRow[], jobTokens: number): TranscriptRow[][] {
  return divided(rows, { messages: PART_MESSAGES, tokens: Math.floor(jobTokens * PART_SHARE) });
}

/** As {@link replacedChunks}, no chunk of more parts than one summary is put together of. */
export function chunksOfParts(rows: readonly TranscriptRow[], bounds: ChunkBounds): ReplacedChunk[] {
  return replacedChunks(rows, { ...bounds, tokens: Infinity }).flatMap((chunk) => {
    if (bounds.recorded) return [chunk];
    const parts = partsOf(chunk.rows, bounds.tokens);
    const count = Math.ceil(parts.length / MOST_PARTS);
    return Array.from({ length: count }, (_, at) => ({
      rows: parts.slice(at * MOST_PARTS, (at + 1) * MOST_PARTS).flat(),
    }));
  });
}

function divided(
  rows: readonly TranscriptRow[],
  { messages, tokens, recorded }: ChunkBounds,
): TranscriptRow[][] {
  const chunks: TranscriptRow[][] = [];
  let [chunk, taken]: [TranscriptRow[], number] = [[], 0];
  for (const row of rows) {
    const before = chunk.at(-1);
    const isFull = chunk.length >= messages || taken + row.tokens > tokens;
    const isEnd = recorded?.firsts.has(row.sequence) || (before && recorded?.lasts.has(before.sequence));
    if (!before || isFull || isEnd) {
      chunk = [];
      taken = 0;
      chunks.push(chunk);
    }
    chunk.push(row);
    taken += row.tokens;
  }
  return chunks;
}

/** What messages counted in the window that they leave; in full where they were never fed. */
export function tokensLeaving(
  rows: readonly TranscriptRow[],
  fed: ReadonlyMap<number, PlannedRendering>,
): number {
  return rows.reduce((sum, row) => sum + (fed.get(row.sequence)?.tokens ?? row.tokens), 0);
}
