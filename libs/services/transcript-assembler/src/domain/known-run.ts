import {
  CONTEXT_SUMMARIZED,
  contextSummarizedSchema,
  eventIdOf,
  INSTRUCTION_ADDED,
  instructionAddedSchema,
  PIN_ADDED,
  PIN_REMOVED,
  RUN_OVERLAID,
  WINDOW_PLANNED,
  windowPlannedSchema,
  type ContextSummarized,
  type InstructionEntry,
  type PlacedEvent,
  type TokenCounterName,
  type WindowPlanned,
} from '@palimpsest/contracts';
import { livePlaces } from './carried-over.js';
import { pinsKnownAfter, type Pin } from './pins.js';
import { standingOverlay, type StandingOverlay } from './settings-from.js';
import { withStoredTurns } from './stored-turns.js';
import { transcriptRow } from './transcript-row.js';
import type { TranscriptRow } from './turn.js';

export type StandingWindow = { readonly sequence: number; readonly window: WindowPlanned };
export type StandingSummary = { readonly sequence: number; readonly summary: ContextSummarized };

/** All that the next plan of a run needs, and all that tells of its last window, as of a place of its log. */
export type KnownRun = {
  /** Last event that is known. */
  readonly upTo: number;
  /** The unit of rows and pins. */
  readonly counter: TokenCounterName;
  readonly last: StandingWindow | undefined;
  /** Where `last` was planned under other settings. */
  readonly overlay: StandingOverlay | undefined;
  /** Those that `last` feeds, oldest first, and any recorded since. */
  readonly summaries: readonly StandingSummary[];
  /** Messages of the turns of `last`, and all after them. */
  readonly rows: readonly TranscriptRow[];
  readonly instructions: readonly InstructionEntry[];
  /** As of `upTo`, in log order. */
  readonly pins: readonly Pin[];
};

export type KnowledgeOf = { readonly runId: string; readonly counter: TokenCounterName };

/** What is known after the next event of the log. */
export function learn(known: KnownRun, event: PlacedEvent, { runId, counter }: KnowledgeOf): KnownRun {
  const { sequence } = event;
  const now = { ...known, upTo: sequence };
  switch (event.type) {
    case INSTRUCTION_ADDED: {
      const { artifactId } = instructionAddedSchema.parse(event.payload);
      const added = { eventId: eventIdOf(runId, sequence), sequence, artifactId };
      return { ...now, instructions: [...known.instructions, added] };
    }
    case CONTEXT_SUMMARIZED:
      return {
        ...now,
        summaries: [...known.summaries, { sequence, summary: contextSummarizedSchema.parse(event.payload) }],
      };
    case WINDOW_PLANNED:
      return afterWindow(now, { sequence, window: windowPlannedSchema.parse(event.payload) });
    case RUN_OVERLAID:
      return { ...now, overlay: standingOverlay(event) ?? known.overlay };
    case PIN_ADDED:
    case PIN_REMOVED:
      return { ...now, pins: pinsKnownAfter(known.pins, event, counter) };
    default: {
      const row = transcriptRow(event, counter);
      return row ? { ...now, rows: [...known.rows, row] } : now;
    }
  }
}

function afterWindow(known: KnownRun, last: StandingWindow): KnownRun {
  const { tailFrom, apart } = livePlaces(last.window);
  const places = new Set(apart);
  return {
    ...known,
    last,
    overlay: undefined,
    summaries: last.window.summarySequences.flatMap((place) =>
      known.summaries.filter(({ sequence }) => sequence === place),
    ),
    rows: withStoredTurns(known.rows, last.window.turns).filter(
      ({ sequence }) => sequence >= tailFrom || places.has(sequence),
    ),
  };
}
