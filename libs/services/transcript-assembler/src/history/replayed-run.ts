import {
  CONTEXT_SUMMARIZED,
  contextSummarizedSchema,
  INSTRUCTION_ADDED,
  PIN_TYPES,
  WINDOW_PLANNED,
  windowPlannedSchema,
  WORKER_RETURNED,
  type ContextSettings,
  type RecordedEvent,
  type WindowPlanned,
} from '@palimpsest/contracts';
import { loopMessage } from '@palimpsest/transcript';
import { livePlaces, totalsBefore } from '../domain/carried-over.js';
import { pinsKnownAfter, type Pin } from '../domain/pins.js';
import { hasNoArtifact, withStoredTurns, type LoopTurn, type StoredTurn } from '../domain/stored-turns.js';
import { TRANSCRIPT_TYPES, transcriptRow } from '../domain/transcript-row.js';
import type { TranscriptRow } from '../domain/turn.js';
import type { WindowContext } from '../domain/window-record.js';
import { fedSummaries, type RecordedSummary, type RecordedWindow } from './run-history.js';

/** A recorded window with all that it was planned from. */
export type WindowToCheck = {
  readonly recorded: RecordedWindow;
  readonly previous: WindowPlanned | undefined;
  /** True where the window before was planned under other settings. */
  readonly isOverlaid: boolean;
  /** The summaries in force before it, oldest first. */
  readonly previousSummaries: readonly RecordedSummary[];
  /** Summaries recorded with it, in order. */
  readonly summaries: readonly RecordedSummary[];
  readonly rows: readonly TranscriptRow[];
  /** Of an execution loop: what its turns since the window before say. */
  readonly said: readonly LoopTurn[];
  /** And those of them that refer to what was said. */
  readonly returned: readonly TranscriptRow[];
  readonly context: WindowContext;
};

/** Stands for the artifact of a turn that its window does not name: no artifact has this id. */
export const UNNAMED = 'unnamed';

/** Folds a run's log once, from its start, and stops at every recorded window. Holds live rows only. */
export class ReplayedRun {
  #rows = new Map<number, TranscriptRow>();
  #said: LoopTurn[] = [];
  #returned: TranscriptRow[] = [];
  #pins: readonly Pin[] = [];
  #summaries: RecordedSummary[] = [];
  #inForce: readonly RecordedSummary[] = [];
  #previous: WindowPlanned | undefined;
  #isOverlaid = false;
  #messageCount = 0;
  #lastMessage = -1;
  #transcriptTokens = 0;
  #instructionTokens = 0;

  constructor(
    private readonly runId: string,
    private readonly settings: ContextSettings,
  ) {}

  static readonly eventTypes: readonly string[] = [
    INSTRUCTION_ADDED,
    CONTEXT_SUMMARIZED,
    WINDOW_PLANNED,
    ...TRANSCRIPT_TYPES,
    ...PIN_TYPES,
  ];

  /** Its settings are others than those of the windows so far. */
  overlaid(): this {
    this.#isOverlaid = true;
    return this;
  }

  /** Takes the next event; a window comes back as what there is to check. */
  next(event: RecordedEvent): WindowToCheck | undefined {
    switch (event.type) {
      case INSTRUCTION_ADDED:
        this.#lastMessage = event.sequence;
        this.#messageCount += 1;
        this.#instructionTokens += event.counts?.[this.settings.tokenCounter] ?? 0;
        return undefined;
      case CONTEXT_SUMMARIZED:
        this.#summaries.push({ event, summary: contextSummarizedSchema.parse(event.payload) });
        return undefined;
      case WINDOW_PLANNED:
        return this.window({ event, window: windowPlannedSchema.parse(event.payload) });
      default:
        this.pinOrMessage(event);
        return undefined;
    }
  }

  private pinOrMessage(event: RecordedEvent): void {
    const { tokenCounter } = this.settings;
    if ((PIN_TYPES as readonly string[]).includes(event.type)) {
      this.#pins = pinsKnownAfter(this.#pins, event, tokenCounter);
      return;
    }
    const row = transcriptRow(event, tokenCounter);
    if (row) this.message(row);
    const said = row && hasNoArtifact(row) ? loopMessage(event) : undefined;
    if (said) this.#said.push({ sequence: event.sequence, message: said });
    if (row && event.type === WORKER_RETURNED) this.#returned.push(row);
  }

  private message(row: TranscriptRow): void {
    this.#rows.set(row.sequence, row);
    this.#lastMessage = row.sequence;
    this.#messageCount += 1;
    this.#transcriptTokens += row.tokens;
  }

  private window(recorded: RecordedWindow): WindowToCheck {
    const turns = this.storedTurns(recorded.window);
    const rows = withStoredTurns([...this.#rows.values()], turns);
    this.#rows = new Map(rows.map((row) => [row.sequence, row]));
    // A fork may share a summary of its source and not the window that it was made for: then no window feeds it.
    const { asOfSequence } = recorded.window;
    this.#summaries = this.#summaries.filter(({ event }) => event.sequence > asOfSequence);
    const check: WindowToCheck = {
      recorded,
      previous: this.#previous,
      isOverlaid: this.#isOverlaid,
      previousSummaries: this.#inForce,
      summaries: this.#summaries,
      rows,
      said: this.#said,
      returned: this.#returned,
      context: this.context(recorded.window, turns),
    };
    this.#said = [];
    this.#returned = [];
    this.#inForce = fedSummaries([...this.#inForce, ...this.#summaries], recorded.window);
    this.#previous = recorded.window;
    this.#isOverlaid = false;
    this.#summaries = [];
    this.keepLiveRows(recorded.window);
    return check;
  }

  /** The turns that the window has to name, with the artifacts it names. */
  private storedTurns({ turns }: WindowPlanned): StoredTurn[] {
    const named = new Map(turns?.map(({ sequence, artifactId }) => [sequence, artifactId]));
    return this.#said.map(({ sequence }) => ({ sequence, artifactId: named.get(sequence) ?? UNNAMED }));
  }

  private keepLiveRows(window: WindowPlanned): void {
    const { tailFrom, apart } = livePlaces(window);
    const places = new Set(apart);
    this.#rows = new Map(
      [...this.#rows].filter(([sequence]) => sequence >= tailFrom || places.has(sequence)),
    );
  }

  /** A loop's turn that has its window is planned once more where other settings come before its decision. */
  private iterationOf({ iteration }: WindowPlanned): number {
    const before = this.#previous?.iteration ?? 0;
    return this.#isOverlaid && iteration === before ? before : before + 1;
  }

  private context(window: WindowPlanned, turns: readonly StoredTurn[]): WindowContext {
    const iteration = this.iterationOf(window);
    return {
      runId: this.runId,
      settings: this.settings,
      iteration,
      asOfSequence: window.asOfSequence,
      lastMessageSequence: this.#lastMessage,
      messageCount: this.#messageCount,
      unboundedTokens: this.#transcriptTokens,
      instructionTokens: this.#instructionTokens,
      totalsBefore: totalsBefore({ counter: this.settings.tokenCounter, iteration }, this.#previous),
      pins: this.#pins,
      turns,
    };
  }
}
