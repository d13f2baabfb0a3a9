import {
  CONTEXT_SUMMARIZED,
  contextSummarizedSchema,
  INSTRUCTION_ADDED,
  MESSAGE_APPENDED,
  WINDOW_PLANNED,
  windowPlannedSchema,
  type ContextSettings,
  type RecordedEvent,
  type WindowPlanned,
} from '@palimpsest/contracts';
import { livePlaces } from '../domain/carried-over.js';
import { transcriptRow } from '../domain/transcript-row.js';
import type { TranscriptRow } from '../domain/turn.js';
import type { WindowContext } from '../domain/window-record.js';
import type { RecordedSummary, RecordedWindow } from './run-history.js';

/** A recorded window with all that it was planned from. */
export type WindowToCheck = {
  readonly recorded: RecordedWindow;
  readonly previous: WindowPlanned | undefined;
  /** The summary in force before it. */
  readonly previousSummary: RecordedSummary | undefined;
  /** Summaries recorded with it, in order. */
  readonly summaries: readonly RecordedSummary[];
  readonly rows: readonly TranscriptRow[];
  readonly context: WindowContext;
};

/** Folds a run's log once, from its start, and stops at every recorded window. Holds live rows only. */
export class ReplayedRun {
  #rows = new Map<number, TranscriptRow>();
  #summaries: RecordedSummary[] = [];
  #inForce: RecordedSummary | undefined;
  #previous: WindowPlanned | undefined;
  #messageCount = 0;
  #lastMessage = -1;
  #transcriptTokens = 0;
  #instructionTokens = 0;

  constructor(
    private readonly runId: string,
    private readonly settings: ContextSettings,
  ) {}

  static readonly eventTypes = [INSTRUCTION_ADDED, MESSAGE_APPENDED, CONTEXT_SUMMARIZED, WINDOW_PLANNED];

  /** Takes the next event; a window comes back as what there is to check. */
  next(event: RecordedEvent): WindowToCheck | undefined {
    switch (event.type) {
      case INSTRUCTION_ADDED:
        this.#lastMessage = event.sequence;
        this.#messageCount += 1;
        this.#instructionTokens += event.counts?.[this.settings.tokenCounter] ?? 0;
        return undefined;
      case MESSAGE_APPENDED:
        this.message(transcriptRow(event, this.settings.tokenCounter));
        return undefined;
      case CONTEXT_SUMMARIZED:
        this.#summaries.push({ event, summary: contextSummarizedSchema.parse(event.payload) });
        return undefined;
      default:
        return this.window({ event, window: windowPlannedSchema.parse(event.payload) });
    }
  }

  private message(row: TranscriptRow): void {
    this.#rows.set(row.sequence, row);
    this.#lastMessage = row.sequence;
    this.#messageCount += 1;
    this.#transcriptTokens += row.tokens;
  }

  private window(recorded: RecordedWindow): WindowToCheck {
    const check: WindowToCheck = {
      recorded,
      previous: this.#previous,
      previousSummary: this.#inForce,
      summaries: this.#summaries,
      rows: [...this.#rows.values()],
      context: this.context(recorded.window),
    };
    const inForce = recorded.window.summarySequences.at(-1);
    const newest = this.#summaries.find(({ event }) => event.sequence === inForce) ?? this.#inForce;
    this.#inForce = newest?.event.sequence === inForce ? newest : undefined;
    this.#previous = recorded.window;
    this.#summaries = [];
    this.keepLiveRows(recorded.window);
    return check;
  }

  private keepLiveRows(window: WindowPlanned): void {
    const { tailFrom, apart } = livePlaces(window);
    const places = new Set(apart);
    this.#rows = new Map(
      [...this.#rows].filter(([sequence]) => sequence >= tailFrom || places.has(sequence)),
    );
  }

  private context({ asOfSequence }: WindowPlanned): WindowContext {
    return {
      runId: this.runId,
      settings: this.settings,
      iteration: (this.#previous?.iteration ?? 0) + 1,
      asOfSequence,
      lastMessageSequence: this.#lastMessage,
      messageCount: this.#messageCount,
      unboundedTokens: this.#transcriptTokens,
      instructionTokens: this.#instructionTokens,
      totalsBefore: this.#previous?.totals ?? { fedTokens: 0, unboundedTokens: 0, summaries: 0 },
    };
  }
}
