import type { ContextSettings, TokenCounterName } from '@palimpsest/contracts';

/** How a budget is divided. Counts are in the run's unit, except the entries. */
export type BudgetShape = {
  readonly budget: number;
  /** Most tokens of the summary as it is fed; 0 where nothing is summarized. */
  readonly summaryCap: number;
  /** What the last `turnsKept` turns may count together, always. */
  readonly avail: number;
  readonly turnsKept: number;
  /** What every one of them may count in any case: half a fair share, so that one large turn cannot starve the next. */
  readonly turnFloor: number;
  /** Below this no cut form of one message is legible; a larger message is never cut to less. */
  readonly messageFloor: number;
  /** A compaction cuts the turns down to this, unless the kept ones count more. */
  readonly tailTarget: number;
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
const TARGET_SHARE = 0.5;
const ENTRY_FLOOR = 2;

type Floors = { readonly turn: number; readonly message: number; readonly summary: number };

const BPE_FLOORS: Floors = { turn: 64, message: 24, summary: 32 };
const CHAR_FLOORS: Floors = { turn: 256, message: 64, summary: 128 };

function floorsOf(counter: TokenCounterName): Floors {
  return counter === 'chars' ? CHAR_FLOORS : BPE_FLOORS;
}

/**
 * Divides a budget so that the last turns and the summary can never collide with the ceiling, or says what
 * the least budget would be: `turnsKept · turnFloor` and the least summary must fit.
 */
export function shapeBudget(settings: ContextSettings): BudgetVerdict {
  const floors = floorsOf(settings.tokenCounter);
  const summarizes = settings.strategy !== 'none';
  const turnsKept = Math.max(1, settings.keepLastTurns);
  const kept = turnsKept * floors.turn;
  const minimumBudget = kept + (summarizes ? floors.summary : 0);
  const minimumTranscriptWindow = turnsKept * ENTRY_FLOOR + (summarizes ? 1 : 0);
  const budget = settings.transcriptTokenBudget;
  const window = settings.transcriptWindow ?? Number.MAX_SAFE_INTEGER;
  if (budget < minimumBudget || window < minimumTranscriptWindow) {
    return { feasible: false, minimumBudget, minimumTranscriptWindow };
  }
  const wanted = Math.max(floors.summary, Math.floor(budget * SUMMARY_SHARE));
  const summaryCap = summarizes ? Math.min(wanted, budget - kept) : 0;
  const avail = budget - summaryCap;
  const entryLimit = window - (summarizes ? 1 : 0);
  return {
    feasible: true,
    shape: {
      budget,
      summaryCap,
      avail,
      turnsKept,
      turnFloor: Math.max(floors.turn, Math.floor(avail / (2 * turnsKept))),
      messageFloor: floors.message,
      tailTarget: Math.max(0, Math.floor(budget * TARGET_SHARE) - summaryCap),
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
