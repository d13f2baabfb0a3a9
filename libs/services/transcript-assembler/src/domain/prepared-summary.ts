import type { WindowShape } from './window-shape.js';
import type { AssemblyEffects } from './assembly-effects.js';
import type { CompactionWanted } from './plan-window.js';
import { isSideBySide, needsMerge, withSummary, type Leaving, type Standing } from './replace-turns.js';
import type { SizedTurn } from './settle-turns.js';
import { tokensOf } from './summary-in-force.js';

/** Part of the budget that has to be free after a prepared summary is taken: else the next turn would cut again. */
const FREE_SHARE = 1 / 8;

export type Compaction = {
  readonly step: CompactionWanted;
  readonly standing: Standing;
  readonly leaving: Leaving;
  readonly shape: WindowShape;
};

/**
 * The compaction with a summary that was made ahead: it stands for the first turns to be replaced, and the others stay
 * where the window fits with them. Undefined where there is none, or no room.
 */
export async function preparedFor(
  { step, standing, leaving, shape }: Compaction,
  effects: AssemblyEffects,
): Promise<{ readonly step: CompactionWanted; readonly standing: Standing } | undefined> {
  if (leaving.rows.length === 0 || !effects.prepared) return undefined;
  const besides = isSideBySide(leaving);
  if (besides && needsMerge(standing, leaving)) return undefined;
  const absorbed = besides ? [] : standing.summaries;
  const offer = await effects.prepared({ rows: leaving.rows, absorbed, maxTokens: leaving.summaryMax });
  const narrowed = offer && narrowedTo(step, offer.rows);
  if (!narrowed) return undefined;
  const made = withSummary({ summaries: absorbed, newSummaries: standing.newSummaries }, offer, leaving.fed);
  if (made.newSummaries.length === standing.newSummaries.length) return undefined;
  const summaries = besides ? [...standing.summaries, ...made.summaries] : made.summaries;
  const taken = { step: narrowed, standing: { ...made, summaries } };
  return hasRoom(taken, shape) ? taken : undefined;
}

/** Only the turns that consist of these rows are replaced, the first ones; the others stay. */
function narrowedTo(
  step: CompactionWanted,
  rows: readonly { readonly sequence: number }[],
): CompactionWanted | undefined {
  const places = new Set(rows.map(({ sequence }) => sequence));
  const isIn = (turn: SizedTurn): boolean => turn.rows.every(({ sequence }) => places.has(sequence));
  const replaced = step.replaced.filter(isIn);
  const rest = step.replaced.slice(replaced.length);
  const named = replaced.reduce((sum, turn) => sum + turn.rows.length, 0);
  if (named === 0 || named !== places.size || rest.some(isIn)) return undefined;
  return { ...step, replaced, kept: [...rest, ...step.kept] };
}

function hasRoom(
  { step, standing }: { readonly step: CompactionWanted; readonly standing: Standing },
  { budget, entryLimit }: WindowShape,
): boolean {
  const tokens = step.kept.reduce((sum, turn) => sum + turn.tokens, tokensOf(standing.summaries));
  const entries = step.kept.reduce((sum, turn) => sum + turn.entries, standing.summaries.length - 1);
  return tokens <= budget * (1 - FREE_SHARE) && entries <= entryLimit;
}
