import {
  CONTEXT_SUMMARIZED,
  eventIdOf,
  WINDOW_PLANNED,
  type ContextSettings,
  type ContextSummarized,
  type JsonObject,
  type NewRunEvent,
  type WindowPlanned,
} from '@palimpsest/contracts';
import type { AssembledWindow } from './assemble-window.js';
import { pinTokensOf, type Pin } from './pins.js';
import type { NewSummary } from './replace-turns.js';
import type { StoredTurn } from './stored-turns.js';
import type { SummaryPlace } from './summary-in-force.js';

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
  /** In log order; they count beside what was assembled. */
  readonly pins: readonly Pin[];
  /** Of an execution loop: renderings of the transcript's events since the window before. */
  readonly turns: readonly StoredTurn[];
  /** The supervisor, of an execution loop. */
  readonly nodeId?: string;
};

/** The events that record a window, to be appended after `head` in one transaction: its summaries, then the window. */
export function windowEvents(
  assembled: AssembledWindow,
  context: WindowContext,
  head: number,
): NewRunEvent[] {
  const place: PlaceOf = (at) => ('sequence' in at ? at.sequence : head + 1 + at.index);
  const summarized = assembled.newSummaries.map((summary) => summarizedEvent(summary, context, place));
  const summarySequences = assembled.summaries.map((summary) => place(summary.place));
  const window = windowPayload(assembled, context, summarySequences);
  return [...summarized, recordedEvent(WINDOW_PLANNED, window as JsonObject, context)];
}

function recordedEvent(type: string, payload: JsonObject, { nodeId }: WindowContext): NewRunEvent {
  return { type, schemaVersion: 1, payload, ...(nodeId !== undefined && { nodeId }) };
}

type PlaceOf = (at: SummaryPlace) => number;

function summarizedEvent(summary: NewSummary, context: WindowContext, place: PlaceOf): NewRunEvent {
  const { runId, iteration, settings } = context;
  const payload: ContextSummarized = {
    iteration,
    replacedTurns: [
      ...summary.absorbs.map((absorbed) => eventIdOf(runId, place(absorbed))),
      ...summary.rows.map(({ sequence }) => eventIdOf(runId, sequence)),
    ],
    summaryRef: summary.summaryRef,
    tokenCounter: settings.tokenCounter,
    tokensBefore: summary.tokensBefore,
    tokensAfter: summary.tokensAfter,
  };
  return recordedEvent(CONTEXT_SUMMARIZED, payload, context);
}

function windowPayload(
  assembled: AssembledWindow,
  context: WindowContext,
  summarySequences: number[],
): WindowPlanned {
  const { fed, pending, tailFrom, newSummaries } = assembled;
  const { totalsBefore, pins, turns } = context;
  const tokens = assembled.tokens + pinTokensOf(pins);
  return {
    iteration: context.iteration,
    asOfSequence: context.asOfSequence,
    lastMessageSequence: context.lastMessageSequence,
    tokenCounter: context.settings.tokenCounter,
    tokenCount: tokens,
    unboundedTokenCount: context.unboundedTokens,
    instructionTokens: context.instructionTokens,
    summarySequences,
    tailFromSequence: tailFrom,
    islands: fed.filter(({ first }) => first < tailFrom).map(sequencesOf),
    pending: pending.map(sequencesOf),
    cuts: cutsOf(assembled),
    elided: ranges(elidedSequences(assembled)),
    ...(turns.length > 0 && { turns: [...turns] }),
    ...(pins.length > 0 && { pins: [...pins] }),
    ...recountedOf(assembled, summarySequences),
    messageCount: context.messageCount,
    totals: {
      fedTokens: totalsBefore.fedTokens + tokens,
      unboundedTokens: totalsBefore.unboundedTokens + context.unboundedTokens,
      summaries: totalsBefore.summaries + newSummaries.length,
    },
  };
}

function recountedOf(
  { summaries }: AssembledWindow,
  sequences: readonly number[],
): Pick<WindowPlanned, 'recounted'> {
  const recounted = summaries.flatMap(({ recounted: isRecounted, tokens }, index) => {
    const sequence = sequences[index];
    return isRecounted && sequence !== undefined ? [{ sequence, tokens }] : [];
  });
  return recounted.length > 0 ? { recounted } : {};
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
