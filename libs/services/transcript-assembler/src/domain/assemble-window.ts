import type { ContextStrategy } from '@palimpsest/contracts';
import type { AssemblyEffects } from './assembly-effects.js';
import {
  planWindow,
  type CompactionWanted,
  type CutsWanted,
  type PlannedWindow,
  type PlanningState,
} from './plan-window.js';
import { preparedFor } from './prepared-summary.js';
import { replaceTurns, type Leaving, type NewSummary, type Standing } from './replace-turns.js';
import { ELIDED, type PlannedRendering } from './rendering-plan.js';
import type { RecordedEnds } from './replaced-chunks.js';
import type { SizedTurn } from './settle-turns.js';
import { tokensOf, type SummaryInForce } from './summary-in-force.js';
import type { Turn } from './turn.js';
import type { WindowShape } from './window-shape.js';

/** Most tokens of the messages of one job, where nothing else is said. */
export const JOB_TOKENS = 200_000;

export type AssemblyInput = {
  readonly shape: WindowShape;
  readonly strategy: ContextStrategy;
  readonly turns: readonly Turn[];
  readonly pending: ReadonlySet<number>;
  readonly known: ReadonlyMap<number, PlannedRendering>;
  /** In force, oldest first. */
  readonly summaries: readonly SummaryInForce[];
  /** See `tailFromSequence` of the last window; 0 before the first. */
  readonly tailFrom: number;
  /** Most tokens of the messages of one job. Default {@link JOB_TOKENS}. */
  readonly jobTokens?: number;
  /** Of a replay: how the recorded summaries divided what they replaced. */
  readonly recorded?: RecordedEnds;
};

export type AssembledWindow = Standing & {
  readonly fed: readonly SizedTurn[];
  readonly pending: readonly Turn[];
  readonly tokens: number;
  readonly tailFrom: number;
};

type Progress = AssemblyInput & { readonly newSummaries: readonly NewSummary[] };

/** Plans until the window is settled, having cuts and summaries made on the way. */
export async function assembleWindow(
  input: AssemblyInput,
  effects: AssemblyEffects,
): Promise<AssembledWindow> {
  let progress: Progress = { ...input, newSummaries: [] };
  for (;;) {
    const step = planWindow(planningState(progress));
    if (step.step === 'window') return assembled(progress, step);
    progress =
      step.step === 'cut' ? await cut(progress, step, effects) : await compact(progress, step, effects);
  }
}

function planningState({ shape, turns, pending, known, summaries }: Progress): PlanningState {
  return { shape, turns, pending, known, ...summaryRoom(summaries) };
}

/** The shape has room for one entry of summaries. */
export function summaryRoom(summaries: readonly SummaryInForce[]): {
  readonly summaryTokens: number;
  readonly moreSummaries: number;
} {
  return { summaryTokens: tokensOf(summaries), moreSummaries: Math.max(0, summaries.length - 1) };
}

function assembled(
  { summaries, tailFrom, newSummaries }: Progress,
  { fed, pending, tokens }: PlannedWindow,
): AssembledWindow {
  return { fed, pending, tokens, tailFrom, newSummaries, summaries };
}

async function cut(progress: Progress, wanted: CutsWanted, effects: AssemblyEffects): Promise<Progress> {
  const rows = new Map(progress.turns.flatMap((turn) => turn.rows).map((row) => [row.sequence, row]));
  const known = new Map([...progress.known, ...wanted.fed.flatMap(({ renderings }) => [...renderings])]);
  for (const { sequence, max } of wanted.cuts) {
    const row = rows.get(sequence);
    const made = row && (await effects.cut(row, max));
    known.set(sequence, made ? { form: 'cut', ...made } : ELIDED);
  }
  return { ...progress, known };
}

async function compact(
  progress: Progress,
  wanted: CompactionWanted,
  effects: AssemblyEffects,
): Promise<Progress> {
  if (progress.strategy === 'none') return reducedTo(progress, wanted);
  const leaving = leavingOf(progress, wanted);
  const ready = await preparedFor(
    { step: wanted, standing: progress, leaving, shape: progress.shape },
    effects,
  );
  const { standing, step } = ready ?? {
    standing: await replaceTurns(progress, leaving, effects),
    step: wanted,
  };
  const after = reducedTo(progress, step);
  return { ...after, ...fitting(standing, step.kept, progress.shape) };
}

/** Without the turns that leave, and those that stay as they are sized now. */
function reducedTo(progress: Progress, step: CompactionWanted): Progress {
  const gone = new Set(step.replaced.map(({ first }) => first));
  return {
    ...progress,
    turns: progress.turns.filter(({ first }) => !gone.has(first)),
    pending: new Set(step.pending.map(({ first }) => first)),
    known: new Map(step.kept.flatMap(({ renderings }) => [...renderings]).filter(isSettled)),
    tailFrom: Math.max(progress.tailFrom, ...step.replaced.map(({ last }) => last + 1)),
  };
}

function isSettled([, { form }]: [number, PlannedRendering]): boolean {
  return form !== 'cut-wanted';
}

/** Summaries side by side, where each is legible and what stays leaves entries for them. */
const MOST_SUMMARIES = 4;
/** Least tokens of a summary beside others, in least forms of a message. */
const LEGIBLE = 4;

export function leavingOf(
  input: AssemblyInput,
  { replaced, kept, summaryMax }: Omit<CompactionWanted, 'step' | 'pending'>,
): Leaving {
  const { shape, strategy, known, jobTokens = JOB_TOKENS, recorded } = input;
  const entries = kept.reduce((sum, turn) => sum + turn.entries, 0);
  const legible = Math.floor(summaryMax / (LEGIBLE * shape.messageFloor));
  return {
    strategy,
    rows: replaced.flatMap(({ rows }) => rows),
    fed: known,
    summaryMax,
    most: Math.max(1, Math.min(MOST_SUMMARIES, legible, 1 + shape.entryLimit - entries)),
    jobTokens,
    ...(recorded && { recorded }),
  };
}

/** The oldest go without where a new summary was refused and they are more than what is free by now. */
function fitting(
  { summaries, newSummaries }: Standing,
  kept: readonly SizedTurn[],
  shape: WindowShape,
): Standing {
  const tokens = kept.reduce((sum, turn) => sum + turn.tokens, 0);
  const entries = kept.reduce((sum, turn) => sum + turn.entries, 0);
  let fed = summaries;
  while (
    fed.length > 0 &&
    (tokens + tokensOf(fed) > shape.budget || entries + fed.length - 1 > shape.entryLimit)
  ) {
    fed = fed.slice(1);
  }
  return { summaries: fed, newSummaries };
}
