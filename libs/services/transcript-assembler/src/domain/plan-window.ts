import type { CutWanted, PlannedRendering } from './rendering-plan.js';
import { settleTurns, sumOf, withinShape, type SizedTurn } from './settle-turns.js';
import type { Turn } from './turn.js';
import type { WindowShape } from './window-shape.js';

/** Everything a plan depends on. Turns that are summarized or evicted are gone from it. */
export type PlanningState = {
  readonly shape: WindowShape;
  /** Live turns, least recently touched first. */
  readonly turns: readonly Turn[];
  /** First sequences of waiting turns that the last window left out. */
  readonly pending: ReadonlySet<number>;
  /** Renderings by sequence that stand: recorded by earlier windows, or settled on the way to this one. */
  readonly known: ReadonlyMap<number, PlannedRendering>;
  /** Tokens of the summaries in force, 0 without one. */
  readonly summaryTokens: number;
  /** Summaries in force beside the first, for which the shape has room. */
  readonly moreSummaries: number;
};

export type PlannedWindow = {
  readonly step: 'window';
  /** Turns fed, with settled renderings. */
  readonly fed: readonly SizedTurn[];
  /** Waiting turns left out. */
  readonly pending: readonly Turn[];
  readonly tokens: number;
};

/** These messages have to be cut before the window can be settled; all others of the turns fed stand as planned. */
export type CutsWanted = {
  readonly step: 'cut';
  readonly fed: readonly SizedTurn[];
  readonly cuts: readonly { readonly sequence: number; readonly max: number }[];
};

/**
 * The window does not fit: `replaced` leave it, `pending` wait outside, `kept` stay as they are sized now. With nothing
 * replaced only the summary is too large for what stands beside it by now, and is made anew.
 */
export type CompactionWanted = {
  readonly step: 'compact';
  /** Most tokens of the summaries, together. */
  readonly summaryMax: number;
  readonly replaced: readonly SizedTurn[];
  readonly kept: readonly SizedTurn[];
  readonly pending: readonly Turn[];
};

export type PlanStep = PlannedWindow | CutsWanted | CompactionWanted;

/**
 * One step towards the next window, a pure function of rows, recorded renderings and the budget. What fits is
 * fed whole. Only where it does not fit is the window cut, down to a target, so that between two cuts it only
 * grows at its end. The last `turnsKept` turns always stay; a turn is never split, and never replaced while
 * it waits for a tool result.
 */
export function planWindow(state: PlanningState): PlanStep {
  const sized = settleTurns(state.turns, state.known, state.shape);
  const candidates = sized.filter((turn) => !isLeftOut(turn, state));
  if (!fits(candidates, state)) return reduced(sized, hasLargeTurns(candidates, state.shape), state);
  return settled(
    candidates,
    sized.filter((turn) => isLeftOut(turn, state)),
    state,
  );
}

/**
 * Turns stay down to a target, and the summary keeps room for the window to grow. Where turns are large that room would
 * be gone with the next one, and the prefix with it: there turns and summary take all there is.
 */
function reduced(asFed: readonly SizedTurn[], isFull: boolean, state: PlanningState): PlanStep {
  const { shape, summaryTokens } = state;
  const sized = withinShape(asFed, state.known, shape);
  const staying = keptTurns(sized, shape, isFull ? shape.fullTailTarget : shape.tailTarget);
  const kept = sized.filter((turn) => staying.has(turn.first));
  const gone = sized.filter((turn) => !staying.has(turn.first));
  const pending = gone.filter(({ waiting }) => waiting);
  const replaced = gone.filter(({ waiting }) => !waiting);
  const cuts = cutsWanted(kept);
  // first of all: the summary gets what they leave
  if (cuts.length > 0) return { step: 'cut', fed: kept, cuts };
  const taken = sumOf(kept);
  const free = shape.budget - taken.tokens;
  const summariesFit = summaryTokens <= free && taken.entries + state.moreSummaries <= shape.entryLimit;
  if (replaced.length === 0 && summariesFit) return settled(kept, pending, state);
  const summaryMax = isFull ? free : Math.min(shape.summaryTarget, free);
  return { step: 'compact', replaced, kept, pending, summaryMax };
}

function hasLargeTurns(turns: readonly SizedTurn[], { largeTurn }: WindowShape): boolean {
  return sumOf(turns).tokens > largeTurn * turns.length;
}

/** What would be replaced if the window did not fit as it is. */
export function planCompaction(state: PlanningState): PlanStep {
  const sized = settleTurns(state.turns, state.known, state.shape);
  const candidates = sized.filter((turn) => !isLeftOut(turn, state));
  return reduced(sized, hasLargeTurns(candidates, state.shape), state);
}

/** A waiting turn that was left out stays out until a result comes or the window is cut again. */
function isLeftOut(turn: Turn, { pending }: PlanningState): boolean {
  return pending.has(turn.first);
}

function fits(turns: readonly SizedTurn[], { shape, summaryTokens, moreSummaries }: PlanningState): boolean {
  const { tokens, entries } = sumOf(turns);
  return tokens + summaryTokens <= shape.budget && entries + moreSummaries <= shape.entryLimit;
}

/** The newest turns that stay: `turnsKept` in any case, then as many as reach the target; older waiting ones apart. */
function keptTurns(sized: readonly SizedTurn[], shape: WindowShape, tailTarget: number): Set<number> {
  const kept = new Set<number>();
  const islandLimit = Math.floor(((shape.budget - shape.summaryTarget) * 3) / 4);
  const entryIslandLimit = Math.floor((shape.entryLimit * 3) / 4);
  let tokens = 0;
  let entries = 0;
  let contiguous = true;
  for (const turn of [...sized].reverse()) {
    const withIt = { tokens: tokens + turn.tokens, entries: entries + turn.entries };
    const inTail = contiguous && withIt.tokens <= tailTarget && withIt.entries <= shape.entryTarget;
    const island = turn.waiting && withIt.tokens <= islandLimit && withIt.entries <= entryIslandLimit;
    if (kept.size < shape.turnsKept || inTail || island) {
      kept.add(turn.first);
      ({ tokens, entries } = withIt);
    }
    if (kept.size >= shape.turnsKept && !inTail && !kept.has(turn.first)) contiguous = false;
  }
  return kept;
}

function settled(
  fed: readonly SizedTurn[],
  pending: readonly Turn[],
  state: PlanningState,
): PlannedWindow | CutsWanted {
  const cuts = cutsWanted(fed);
  if (cuts.length > 0) return { step: 'cut', fed, cuts };
  return { step: 'window', fed, pending, tokens: sumOf(fed).tokens + state.summaryTokens };
}

function cutsWanted(turns: readonly SizedTurn[]): CutsWanted['cuts'] {
  return turns.flatMap(({ renderings }) =>
    [...renderings].filter(isCutWanted).map(([sequence, { tokens }]) => ({ sequence, max: tokens })),
  );
}

function isCutWanted(entry: [number, PlannedRendering]): entry is [number, CutWanted] {
  return entry[1].form === 'cut-wanted';
}
