import type { ContextSettings, TokenCounterName } from '@palimpsest/contracts';

/** How a budget is divided. Counts are in the run's unit, except the entries. */
export type BudgetShape = {
  readonly budget: number;
  /** What a summary may count as it is fed whatever is kept beside it; 0 where nothing is summarized. */
  readonly summaryCap: number;
  /** What it may count where the window is to grow on at its end; at most `summaryCap`. */
  readonly summaryTarget: number;
  /** What the last `turnsKept` turns may count together, always. */
  readonly avail: number;
  readonly turnsKept: number;
  /** What every one of them may count in any case: half a fair share, so that one large turn cannot starve the next. */
  readonly turnFloor: number;
  /** Below this no cut form of one message is legible; a larger message is never cut to less. */
  readonly messageFloor: number;
  /** A compaction cuts the turns down to this, unless the kept ones count more. */
  readonly tailTarget: number;
  /** As `tailTarget`, where turns are large and no room is left to grow. */
  readonly fullTailTarget: number;
  /** Turns that count more on average are large: a few of them fill the budget. */
  readonly largeTurn: number;
  /** Most entries of the turns fed (the summary takes one of `transcriptWindow`). */
  readonly entryLimit: number;
  /** As `tailTarget`, in entries. */
  readonly entryTarget: number;
  /** As `turnFloor`, in entries: a call and one result. */
  readonly entryFloor: number;
};

export type BudgetVerdict =
  | { readonly feasible: true; readonly shape: BudgetShape }
  | {
      readonly feasible: false;
      readonly minimumBudget: number;
      readonly minimumTranscriptWindow: number;
    };

const SUMMARY_SHARE = 0.4;
/** The ids and names of a task do not get fewer with the budget: a small one gives this much, up to `Units.legible`. */
const SMALL_BUDGET_SHARE = 0.6;
const TARGET_SHARE = 0.5;
const FULL_TARGET_SHARE = 0.8;
const ENTRY_FLOOR = 2;

/** Room to grow keeps a prefix for some turns. Where fewer mean turns than this fill a budget it would be gone at once. */
const FEW_TURNS = 8;
/** The same where the prefix is too short for a provider to cache, and only many turns make it worth anything. */
const FEW_SMALL_TURNS = 24;

type Units = {
  readonly turn: number;
  readonly message: number;
  readonly summary: number;
  /** Enough for the summary of a task of some length. */
  readonly legible: number;
  /** The shortest prefix that providers cache. */
  readonly cached: number;
};

const BPE_UNITS: Units = { turn: 64, message: 24, summary: 32, legible: 480, cached: 1024 };
const CHAR_UNITS: Units = { turn: 192, message: 64, summary: 128, legible: 1920, cached: 4096 };

function unitsOf(counter: TokenCounterName): Units {
  return counter === 'chars' ? CHAR_UNITS : BPE_UNITS;
}

/** Two fifths; three of a small budget; what the kept turns leave. */
function summaryShares(budget: number, kept: number, units: Units): { cap: number; target: number } {
  const share = Math.floor(budget * SUMMARY_SHARE);
  const small = Math.min(Math.floor(budget * SMALL_BUDGET_SHARE), units.legible);
  const cap = Math.min(Math.max(units.summary, share, small), budget - kept);
  return { cap, target: Math.min(Math.max(units.summary, share), cap) };
}

function largeTurn(budget: number, { cached }: Units): number {
  const few = budget * TARGET_SHARE < cached ? FEW_SMALL_TURNS : FEW_TURNS;
  return Math.floor(budget / few);
}

/**
 * Divides a budget so that the last turns and the summary can never collide with the ceiling, or says what
 * the least budget would be: `turnsKept · turnFloor` and the least summary must fit.
 */
export function shapeBudget(settings: ContextSettings): BudgetVerdict {
  const units = unitsOf(settings.tokenCounter);
  const summarizes = settings.strategy !== 'none';
  const turnsKept = Math.max(1, settings.keepLastTurns);
  const kept = turnsKept * units.turn;
  const minimumBudget = kept + (summarizes ? units.summary : 0);
  const minimumTranscriptWindow = turnsKept * ENTRY_FLOOR + (summarizes ? 1 : 0);
  const budget = settings.transcriptTokenBudget;
  const window = settings.transcriptWindow ?? Number.MAX_SAFE_INTEGER;
  if (budget < minimumBudget || window < minimumTranscriptWindow) {
    return { feasible: false, minimumBudget, minimumTranscriptWindow };
  }
  const summary = summarizes ? summaryShares(budget, kept, units) : { cap: 0, target: 0 };
  const avail = budget - summary.cap;
  const entryLimit = window - (summarizes ? 1 : 0);
  return {
    feasible: true,
    shape: {
      budget,
      summaryCap: summary.cap,
      summaryTarget: summary.target,
      avail,
      turnsKept,
      turnFloor: Math.max(units.turn, Math.floor(avail / (2 * turnsKept))),
      messageFloor: units.message,
      tailTarget: Math.max(0, Math.floor(budget * TARGET_SHARE) - summary.target),
      fullTailTarget: Math.max(0, Math.floor(budget * FULL_TARGET_SHARE) - summary.cap),
      largeTurn: largeTurn(budget, units),
      entryLimit,
      entryTarget: Math.floor(entryLimit * TARGET_SHARE),
      entryFloor: Math.max(ENTRY_FLOOR, Math.floor(entryLimit / (2 * turnsKept))),
    },
  };
}

/** The most turns, up to `wanted`, that a budget can keep verbatim; 0 where not even one fits. */
export function keepableTurns(settings: Omit<ContextSettings, 'keepLastTurns'>, wanted: number): number {
  for (let turns = wanted; turns > 0; turns -= 1) {
    if (shapeBudget({ ...settings, keepLastTurns: turns }).feasible) return turns;
  }
  return 0;
}
