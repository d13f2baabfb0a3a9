import {
  CONTEXT_SUMMARIZED,
  contextSummarizedSchema,
  eventIdOf,
  INSTRUCTION_ADDED,
  instructionAddedSchema,
  MESSAGE_APPENDED,
  WINDOW_PLANNED,
  windowPlannedSchema,
  type ContextSummarized,
  type InstructionEntry,
  type PlacedEvent,
  type TokenCounterName,
  type WindowPlanned,
} from '@palimpsest/contracts';
import { livePlaces } from './carried-over.js';
import { transcriptRow } from './transcript-row.js';
import type { TranscriptRow } from './turn.js';

export type StandingWindow = { readonly sequence: number; readonly window: WindowPlanned };
export type StandingSummary = { readonly sequence: number; readonly summary: ContextSummarized };

/** All that the next plan of a run needs, and all that tells of its last window, as of a place of its log. */
export type KnownRun = {
  /** Last event that is known. */
  readonly upTo: number;
  readonly last: StandingWindow | undefined;
  /** The newest summary: the one that `last` feeds, if it feeds one, or one recorded since. */
  readonly summary: StandingSummary | undefined;
  /** Messages of the turns of `last`, and all after them. */
  readonly rows: readonly TranscriptRow[];
  readonly instructions: readonly InstructionEntry[];
};

export type KnowledgeOf = { readonly runId: string; readonly counter: TokenCounterName };

/** What is known after the next event of the log. */
export function learn(known: KnownRun, event: PlacedEvent, { runId, counter }: KnowledgeOf): KnownRun {
  const { sequence } = event;
  const now = { ...known, upTo: sequence };
  switch (event.type) {
    case MESSAGE_APPENDED:
      return { ...now, rows: [...known.rows, transcriptRow(event, counter)] };
    case INSTRUCTION_ADDED: {
      const { artifactId } = instructionAddedSchema.parse(event.payload);
      const added = { eventId: eventIdOf(runId, sequence), sequence, artifactId };
      return { ...now, instructions: [...known.instructions, added] };
    }
    case CONTEXT_SUMMARIZED:
      return { ...now, summary: { sequence, summary: contextSummarizedSchema.parse(event.payload) } };
    case WINDOW_PLANNED:
      return afterWindow(now, { sequence, window: windowPlannedSchema.parse(event.payload) });
    default:
      return now;
  }
}

function afterWindow(known: KnownRun, last: StandingWindow): KnownRun {
  const { tailFrom, apart } = livePlaces(last.window);
  const places = new Set(apart);
  const isFed = known.summary?.sequence === last.window.summarySequences.at(-1);
  return {
    ...known,
    last,
    summary: isFed ? known.summary : undefined,
    rows: known.rows.filter(({ sequence }) => sequence >= tailFrom || places.has(sequence)),
  };
}
