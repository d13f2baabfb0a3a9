import type { PlannedRendering } from './rendering-plan.js';
import type { SizedTurn } from './settle-turns.js';
import type { TranscriptRow } from './turn.js';

/** `replacedTurns` takes 512 ids, one of which may be the absorbed summary. */
const CHUNK = 511;

export type ReplacedChunk = {
  readonly rows: readonly TranscriptRow[];
  /** What the rows counted in the window they leave; in full where they were never fed. */
  readonly tokens: number;
};

/** The messages of replaced turns in log order, in chunks that one summary may name. */
export function replacedChunks(
  turns: readonly SizedTurn[],
  fed: ReadonlyMap<number, PlannedRendering>,
): ReplacedChunk[] {
  const rows = turns.flatMap((turn) => turn.rows).sort((a, b) => a.sequence - b.sequence);
  const chunks: ReplacedChunk[] = [];
  for (let start = 0; start < rows.length; start += CHUNK) {
    const part = rows.slice(start, start + CHUNK);
    const tokens = part.reduce((sum, row) => sum + (fed.get(row.sequence)?.tokens ?? row.tokens), 0);
    chunks.push({ rows: part, tokens });
  }
  return chunks;
}
