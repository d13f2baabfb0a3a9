import { JOB_MESSAGES } from '@palimpsest/contracts';
import { summaryRoom, leavingOf, type AssembledWindow, type AssemblyInput } from './assemble-window.js';
import type { SummaryWanted } from './assembly-effects.js';
import { planCompaction } from './plan-window.js';
import { isSideBySide, mergeOf, needsMerge, shareBesides, type Leaving } from './replace-turns.js';
import { tokensLeaving } from './replaced-chunks.js';
import type { SizedTurn } from './settle-turns.js';
import { tokensOf } from './summary-in-force.js';
import type { TranscriptRow } from './turn.js';

/** Part of a budget, in tokens or in entries, from which the next compaction is near. */
const NEARLY_FULL = 2 / 3;

/**
 * The summary that the next compaction would want, were it to come now: what it replaces then begins with the same turns.
 * Undefined where the window is far from full, or nothing is summarized.
 */
export function nextSummary(input: AssemblyInput, window: AssembledWindow): SummaryWanted | undefined {
  const { shape, strategy } = input;
  if (strategy === 'none' || !isNearlyFull(input, window)) return undefined;
  const known = new Map(window.fed.flatMap(({ renderings }) => [...renderings]));
  const step = planCompaction({
    shape,
    turns: [...window.fed, ...window.pending].sort((a, b) => a.last - b.last),
    pending: new Set(window.pending.map(({ first }) => first)),
    known,
    ...summaryRoom(window.summaries),
  });
  if (step.step !== 'compact' || step.replaced.length === 0) return undefined;
  const leaving = leavingOf({ ...input, known }, step);
  return wantedFor(window, leaving, { replaced: step.replaced, most: shape.summaryTarget });
}

function isNearlyFull({ shape }: AssemblyInput, { fed, tokens }: AssembledWindow): boolean {
  const entries = fed.reduce((sum, turn) => sum + turn.entries, 0);
  return tokens >= shape.budget * NEARLY_FULL || entries >= shape.entryLimit * NEARLY_FULL;
}

/** A merge, where summaries side by side have to make room first: it is asked for before anything else. */
function wantedFor(
  window: AssembledWindow,
  leaving: Leaving,
  { replaced, most }: { readonly replaced: readonly SizedTurn[]; readonly most: number },
): SummaryWanted | undefined {
  const { summaries } = window;
  const besides = isSideBySide(leaving);
  if (besides && needsMerge(window, leaving)) {
    const maxTokens = Math.min(mergeOf(leaving).summaryMax, tokensOf(summaries) - 1);
    return maxTokens < 1 ? undefined : { rows: [], absorbed: summaries, maxTokens };
  }
  const absorbed = besides ? [] : summaries;
  const rows = wholeTurns(replaced, JOB_MESSAGES - Math.max(1, absorbed.length), leaving.jobTokens);
  const max = besides ? shareBesides(window, leaving) : Math.min(leaving.summaryMax, most);
  const maxTokens = Math.min(max, tokensLeaving(rows, leaving.fed) + tokensOf(absorbed) - 1);
  return rows.length === 0 || maxTokens < 1 ? undefined : { rows, absorbed, maxTokens };
}

/** The messages of the first turns, as many as one job takes. */
function wholeTurns(turns: readonly SizedTurn[], messages: number, jobTokens: number): TranscriptRow[] {
  const taken: TranscriptRow[] = [];
  let tokens = 0;
  for (const { rows } of turns) {
    tokens += rows.reduce((sum, row) => sum + row.tokens, 0);
    if (taken.length + rows.length > messages || (taken.length > 0 && tokens > jobTokens)) break;
    taken.push(...rows);
  }
  return taken.sort((a, b) => a.sequence - b.sequence);
}
