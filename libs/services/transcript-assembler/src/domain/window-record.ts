import {
  CONTEXT_SUMMARIZED,
  eventIdOf,
  WINDOW_PLANNED,
  type ContextSettings,
  type ContextSummarized,
  type NewRunEvent,
  type WindowPlanned,
} from '@palimpsest/contracts';
import type { AssembledWindow, NewSummary } from './assemble-window.js';

/** Facts of the run as of the window that the plan itself does not need. */
export type WindowContext = {
  readonly runId: string;
  readonly settings: ContextSettings;
  readonly iteration: number;
  readonly asOfSequence: number;
  readonly lastMessageSequence: number;
  readonly messageCount: number;
  readonly unboundedTokens: number;
  readonly instructionTokens: number;
  readonly totalsBefore: WindowPlanned['totals'];
};

/** The events that record a window, to be appended after `head` in one transaction: its summaries, then the window. */
export function windowEvents(
  assembled: AssembledWindow,
  context: WindowContext,
  head: number,
): NewRunEvent[] {
  const place = (index: number): number => head + 1 + index;
  const summarized = assembled.newSummaries.map((summary) => summarizedEvent(summary, context, place));
  const summarySequence = summaryPlace(assembled, place);
  const window = windowPayload(assembled, context, summarySequence);
  return [...summarized, { type: WINDOW_PLANNED, schemaVersion: 1, payload: window }];
}

function summarizedEvent(
  summary: NewSummary,
  { runId, iteration, settings }: WindowContext,
  place: (index: number) => number,
): NewRunEvent {
  const { absorbs } = summary;
  const absorbed = absorbs && ('sequence' in absorbs ? absorbs.sequence : place(absorbs.index));
  const payload: ContextSummarized = {
    iteration,
    replacedTurns: [
      ...(absorbed === undefined ? [] : [eventIdOf(runId, absorbed)]),
      ...summary.rows.map(({ sequence }) => eventIdOf(runId, sequence)),
    ],
    summaryRef: summary.summaryRef,
    tokenCounter: settings.tokenCounter,
    tokensBefore: summary.tokensBefore,
    tokensAfter: summary.tokensAfter,
  };
  return { type: CONTEXT_SUMMARIZED, schemaVersion: 1, payload };
}

function summaryPlace(
  { summary, newSummaries }: AssembledWindow,
  place: (index: number) => number,
): number | undefined {
  return summary && (summary.sequence ?? place(newSummaries.length - 1));
}

function windowPayload(
  assembled: AssembledWindow,
  context: WindowContext,
  summarySequence: number | undefined,
): WindowPlanned {
  const { fed, pending, tokens, tailFrom, newSummaries } = assembled;
  const { totalsBefore } = context;
  return {
    iteration: context.iteration,
    asOfSequence: context.asOfSequence,
    lastMessageSequence: context.lastMessageSequence,
    tokenCounter: context.settings.tokenCounter,
    tokenCount: tokens,
    unboundedTokenCount: context.unboundedTokens,
    instructionTokens: context.instructionTokens,
    summarySequences: summarySequence === undefined ? [] : [summarySequence],
    tailFromSequence: tailFrom,
    islands: fed.filter(({ first }) => first < tailFrom).map(sequencesOf),
    pending: pending.map(sequencesOf),
    cuts: cutsOf(assembled),
    elided: ranges(elidedSequences(assembled)),
    messageCount: context.messageCount,
    totals: {
      fedTokens: totalsBefore.fedTokens + tokens,
      unboundedTokens: totalsBefore.unboundedTokens + context.unboundedTokens,
      summaries: totalsBefore.summaries + newSummaries.length,
    },
  };
}

function sequencesOf(turn: { readonly rows: readonly { readonly sequence: number }[] }): number[] {
  return turn.rows.map(({ sequence }) => sequence);
}

function cutsOf({ fed }: AssembledWindow): WindowPlanned['cuts'] {
  return fed
    .flatMap(({ renderings }) => [...renderings])
    .flatMap(([sequence, rendering]) =>
      rendering.form === 'cut'
        ? [{ sequence, artifactId: rendering.artifactId, tokens: rendering.tokens }]
        : [],
    )
    .sort((a, b) => a.sequence - b.sequence);
}

function elidedSequences({ fed }: AssembledWindow): number[] {
  return fed
    .flatMap(({ renderings }) => [...renderings])
    .filter(([, { form }]) => form === 'elided')
    .map(([sequence]) => sequence)
    .sort((a, b) => a - b);
}

/** Ascending numbers as inclusive runs. */
export function ranges(sequences: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const sequence of sequences) {
    const last = runs.at(-1);
    if (last && last[1] === sequence - 1) last[1] = sequence;
    else runs.push([sequence, sequence]);
  }
  return runs;
}
