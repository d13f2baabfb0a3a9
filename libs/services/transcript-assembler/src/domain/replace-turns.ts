import { JOB_MESSAGES, type ContextStrategy } from '@palimpsest/contracts';
import type { AssemblyEffects, SummaryAnswer } from './assembly-effects.js';
import type { PlannedRendering } from './rendering-plan.js';
import {
  chunksOfParts,
  partsOf,
  replacedChunks,
  tokensLeaving,
  type RecordedEnds,
  type ReplacedChunk,
} from './replaced-chunks.js';
import { tokensOf, type SummaryInForce, type SummaryPlace } from './summary-in-force.js';
import type { TranscriptRow } from './turn.js';

/** One `context.summarized` to record. */
export type NewSummary = {
  readonly summaryRef: string;
  readonly rows: readonly TranscriptRow[];
  readonly absorbs: readonly SummaryPlace[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
};

/** The summaries in force, oldest first, and those among them and before them that are new. */
export type Standing = {
  readonly summaries: readonly SummaryInForce[];
  readonly newSummaries: readonly NewSummary[];
};

/** What a compaction takes out of the window, and what room it leaves for summaries. */
export type Leaving = {
  readonly strategy: ContextStrategy;
  readonly rows: readonly TranscriptRow[];
  /** As the window before rendered them. */
  readonly fed: ReadonlyMap<number, PlannedRendering>;
  /** Most tokens of all summaries together. */
  readonly summaryMax: number;
  /** Most summaries beside what stays. */
  readonly most: number;
  readonly jobTokens: number;
  readonly recorded?: RecordedEnds;
};

/**
 * Has summaries made for the messages that leave. What is refused is evicted. Every summary counts less than what it takes
 * the place of, and all of them together at most `summaryMax`, or what they counted before where that was more and they
 * could not be made anew: the caller looks whether they fit.
 */
export async function replaceTurns(
  standing: Standing,
  leaving: Leaving,
  effects: AssemblyEffects,
): Promise<Standing> {
  const chunks = chunksOf(standing, leaving);
  let current = standing;
  for (const chunk of chunks.length > 0 ? chunks : [ONLY_THE_SUMMARIES]) {
    const part = { ...leaving, rows: chunk.rows };
    current = isSideBySide(part)
      ? await besides(await withRoom(current, part, effects), part, effects)
      : await absorbing(current, part, effects);
  }
  return current;
}

const ONLY_THE_SUMMARIES: ReplacedChunk = { rows: [] };

function chunksOf(
  { summaries }: Standing,
  { strategy, rows, jobTokens, recorded }: Leaving,
): ReplacedChunk[] {
  const messages = JOB_MESSAGES - Math.max(1, summaries.length);
  const bounds = { messages, tokens: jobTokens, ...(recorded && { recorded }) };
  return strategy === 'map-reduce' ? chunksOfParts(rows, bounds) : replacedChunks(rows, bounds);
}

/** Where there is room for one summary only, or nothing leaves but a summary too large, all become one. */
export function isSideBySide({ strategy, rows, most }: Leaving): boolean {
  return strategy === 'recursive' && rows.length > 0 && most > 1;
}

/** The least that a summary beside others is given. */
function leastShare({ summaryMax, most }: Leaving): number {
  return Math.floor(summaryMax / most);
}

export function needsMerge({ summaries }: Standing, leaving: Leaving): boolean {
  return summaries.length >= leaving.most || tokensOf(summaries) + leastShare(leaving) > leaving.summaryMax;
}

/** A merged summary is of a higher tier: it stands for several, and takes half of the room, so that the next have some. */
export function mergeOf(leaving: Leaving): Leaving {
  return { ...leaving, rows: [], summaryMax: Math.floor(leaving.summaryMax / 2) };
}

async function withRoom(standing: Standing, leaving: Leaving, effects: AssemblyEffects): Promise<Standing> {
  if (!needsMerge(standing, leaving)) return standing;
  let current = await absorbing(standing, mergeOf(leaving), effects);
  // refused: the oldest go without
  while (needsMerge(current, leaving)) current = { ...current, summaries: current.summaries.slice(1) };
  return current;
}

/** Half of what is free, so that those after it find some; never less than its share. */
export function shareBesides({ summaries }: Standing, leaving: Leaving): number {
  const free = leaving.summaryMax - tokensOf(summaries);
  return Math.max(leastShare(leaving), Math.floor(free / 2));
}

/** A summary of its own, which absorbs nothing. */
async function besides(standing: Standing, leaving: Leaving, effects: AssemblyEffects): Promise<Standing> {
  const added = await absorbing(
    { summaries: [], newSummaries: standing.newSummaries },
    { ...leaving, summaryMax: shareBesides(standing, leaving) },
    effects,
  );
  return { ...added, summaries: [...standing.summaries, ...added.summaries] };
}

/** One summary in the place of all those in force. */
async function absorbing(standing: Standing, leaving: Leaving, effects: AssemblyEffects): Promise<Standing> {
  const { rows, fed, summaryMax, strategy, jobTokens } = leaving;
  const maxTokens = Math.min(summaryMax, tokensLeaving(rows, fed) + tokensOf(standing.summaries) - 1);
  if (maxTokens < 1) return standing;
  const parts = strategy === 'map-reduce' ? partsOf(rows, jobTokens) : [];
  const made = await effects.summarize({
    rows,
    absorbed: standing.summaries,
    maxTokens,
    ...(parts.length > 1 && { parts }),
  });
  return made && made.tokens <= maxTokens ? withSummary(standing, { rows, ...made }, fed) : standing;
}

/** Records a summary in the place of all those in force; not so where it is no smaller than what it stands for. */
export function withSummary(
  { summaries, newSummaries }: Standing,
  { summaryRef, tokens, rows }: SummaryAnswer & { readonly rows: readonly TranscriptRow[] },
  fed: ReadonlyMap<number, PlannedRendering>,
): Standing {
  const tokensBefore = tokensLeaving(rows, fed) + tokensOf(summaries);
  if (tokens >= tokensBefore) return { summaries, newSummaries };
  const absorbs = summaries.map(({ place }) => place);
  return {
    summaries: [{ summaryRef, tokens, place: { index: newSummaries.length } }],
    newSummaries: [...newSummaries, { summaryRef, rows, absorbs, tokensBefore, tokensAfter: tokens }],
  };
}
