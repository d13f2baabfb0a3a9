import type { ContextStrategy } from '@palimpsest/contracts';
import type { BudgetShape } from '@palimpsest/transcript';
import {
  planWindow,
  type CompactionWanted,
  type CutsWanted,
  type PlannedWindow,
  type PlanningState,
} from './plan-window.js';
import { ELIDED, type PlannedRendering } from './rendering-plan.js';
import type { SizedTurn } from './settle-turns.js';
import { replacedChunks, type ReplacedChunk } from './replaced-chunks.js';
import type { TranscriptRow, Turn } from './turn.js';

/** The summary that stands for everything older, as of now. */
export type SummaryInForce = {
  readonly summaryRef: string;
  readonly tokens: number;
  /** Place of its `context.summarized`; absent while that is not recorded yet. */
  readonly sequence?: number;
};

export type SummaryWanted = {
  readonly rows: readonly TranscriptRow[];
  readonly previousRef?: string;
  readonly maxTokens: number;
};

/** What the planner asks of the world. A replay answers from the record. */
export type AssemblyEffects = {
  /** A cut rendering within `max`, stored; undefined where not even the shortest form fits. */
  cut(row: TranscriptRow, max: number): Promise<{ artifactId: string; tokens: number } | undefined>;
  /** A stored summary within `maxTokens`, or undefined: then the rows are evicted. */
  summarize(wanted: SummaryWanted): Promise<{ summaryRef: string; tokens: number } | undefined>;
};

/** One `context.summarized` to record. `absorbs`: a recorded place, or the index of an earlier one in this list. */
export type NewSummary = {
  readonly summaryRef: string;
  readonly rows: readonly TranscriptRow[];
  readonly absorbs?: { readonly sequence: number } | { readonly index: number };
  readonly tokensBefore: number;
  readonly tokensAfter: number;
};

export type AssemblyInput = {
  readonly shape: BudgetShape;
  readonly strategy: ContextStrategy;
  readonly turns: readonly Turn[];
  readonly pending: ReadonlySet<number>;
  readonly known: ReadonlyMap<number, PlannedRendering>;
  readonly summary?: SummaryInForce;
  /** See `tailFromSequence` of the last window; 0 before the first. */
  readonly tailFrom: number;
};

export type AssembledWindow = {
  readonly fed: readonly SizedTurn[];
  readonly pending: readonly Turn[];
  readonly tokens: number;
  readonly tailFrom: number;
  readonly summary?: SummaryInForce;
  readonly newSummaries: readonly NewSummary[];
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

function planningState({ shape, turns, pending, known, summary }: Progress): PlanningState {
  return { shape, turns, pending, known, summaryTokens: summary?.tokens ?? 0 };
}

function assembled({ summary, tailFrom, newSummaries }: Progress, window: PlannedWindow): AssembledWindow {
  const { fed, pending, tokens } = window;
  return { fed, pending, tokens, tailFrom, newSummaries, ...(summary && { summary }) };
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
  step: CompactionWanted,
  effects: AssemblyEffects,
): Promise<Progress> {
  const gone = new Set(step.replaced.map(({ first }) => first));
  const tailFrom = Math.max(progress.tailFrom, ...step.replaced.map(({ last }) => last + 1));
  const after: Progress = {
    ...progress,
    turns: progress.turns.filter(({ first }) => !gone.has(first)),
    pending: new Set(step.pending.map(({ first }) => first)),
    known: new Map(step.kept.flatMap(({ renderings }) => [...renderings])),
    tailFrom,
  };
  if (progress.strategy === 'none') return after;
  const chunks = replacedChunks(step.replaced, progress.known);
  let current = after;
  for (const chunk of chunks.length > 0 ? chunks : [NOTHING_MORE]) {
    current = await summarizeChunk(current, { ...chunk, max: step.summaryMax }, effects);
  }
  return fitsBeside(step.kept, current) ? current : withoutSummary(current);
}

/** Only the summary is made anew. */
const NOTHING_MORE: ReplacedChunk = { rows: [], tokens: 0 };

/** Not so where a new summary was refused and the old one is larger than what is free by now. */
function fitsBeside(kept: readonly SizedTurn[], { summary, shape }: Progress): boolean {
  return kept.reduce((sum, { tokens }) => sum + tokens, summary?.tokens ?? 0) <= shape.budget;
}

function withoutSummary({ summary: _, ...rest }: Progress): Progress {
  return rest;
}

/** The new summary absorbs the one in force, so that one stands at any time. A refusal evicts the rows. */
async function summarizeChunk(
  progress: Progress,
  chunk: ReplacedChunk & { readonly max: number },
  effects: AssemblyEffects,
): Promise<Progress> {
  const { summary, newSummaries } = progress;
  const tokensBefore = chunk.tokens + (summary?.tokens ?? 0);
  const maxTokens = Math.min(chunk.max, tokensBefore - 1);
  if (maxTokens < 1) return progress;
  const made = await effects.summarize({
    rows: chunk.rows,
    maxTokens,
    ...(summary && { previousRef: summary.summaryRef }),
  });
  if (!made) return progress;
  const absorbs = absorbedPlace(summary, newSummaries.length);
  const recorded: NewSummary = {
    summaryRef: made.summaryRef,
    rows: chunk.rows,
    tokensBefore,
    tokensAfter: made.tokens,
    ...(absorbs && { absorbs }),
  };
  return { ...progress, summary: made, newSummaries: [...newSummaries, recorded] };
}

function absorbedPlace(summary: SummaryInForce | undefined, made: number): NewSummary['absorbs'] {
  if (!summary) return undefined;
  return summary.sequence === undefined ? { index: made - 1 } : { sequence: summary.sequence };
}
