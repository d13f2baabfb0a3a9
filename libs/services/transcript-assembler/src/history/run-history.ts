import {
  CONTEXT_SUMMARIZED,
  contextSummarizedSchema,
  INSTRUCTION_ADDED,
  instructionAddedSchema,
  PIN_TYPES,
  RUN_OVERLAID,
  WINDOW_PLANNED,
  windowPlannedSchema,
  type ContextSummarized,
  type InstructionEntry,
  type RecordedEvent,
  type TokenCounterName,
  type WindowPlanned,
} from '@palimpsest/contracts';
import { readEvents, type EventLog } from '@palimpsest/kernel';
import { LOOP_TURN_TYPES, loopMessage } from '@palimpsest/transcript';
import type { LivePlaces } from '../domain/carried-over.js';
import type { StandingSummary } from '../domain/known-run.js';
import { pinsKnownAfter, type Pin } from '../domain/pins.js';
import { standingOverlay, type StandingOverlay } from '../domain/settings-from.js';
import { hasNoArtifact, withStoredTurns, type LoopTurn } from '../domain/stored-turns.js';
import { TRANSCRIPT_TYPES, transcriptRow } from '../domain/transcript-row.js';
import type { TranscriptRow } from '../domain/turn.js';

export type RecordedWindow = { readonly event: RecordedEvent; readonly window: WindowPlanned };
export type RecordedSummary = { readonly event: RecordedEvent; readonly summary: ContextSummarized };
export type Instruction = { readonly event: RecordedEvent; readonly artifactId: string };

type RunKey = { readonly tenantId: string; readonly runId: string };
type Span = { readonly from: number; readonly to: number };

/**
 * What the assembler reads of one run. Only the log is the truth: the last recorded window and the messages
 * after its tail hold everything that the next plan needs, so nothing has to be kept or rebuilt here.
 */
export class RunHistory {
  private readonly run: RunKey;

  constructor(
    private readonly log: EventLog,
    { tenantId, runId }: RunKey,
  ) {
    this.run = { tenantId, runId };
  }

  /** The newest window recorded at or before a place. */
  async lastWindow(atOrBefore: number): Promise<RecordedWindow | undefined> {
    const page = await this.log.readRun({
      ...this.run,
      fromSequence: atOrBefore,
      backwards: true,
      limit: 1,
      types: [WINDOW_PLANNED],
    });
    return page.events[0] && recordedWindow(page.events[0]);
  }

  /** The first window recorded at or after a place. */
  async firstWindow(atOrAfter: number): Promise<RecordedWindow | undefined> {
    const page = await this.log.readRun({
      ...this.run,
      fromSequence: atOrAfter,
      limit: 1,
      types: [WINDOW_PLANNED],
    });
    return page.events[0] && recordedWindow(page.events[0]);
  }

  /** Iterations only grow along the log, so a window is found by halving. */
  async windowOf(iteration: number, head: number): Promise<RecordedWindow | undefined> {
    let from = 0;
    let to = head;
    while (from <= to) {
      const middle = Math.floor((from + to) / 2);
      const found = await this.firstWindow(middle);
      if (found?.window.iteration === iteration) return this.newestOfTurn(found);
      if (!found || found.window.iteration > iteration) to = middle - 1;
      else from = found.event.sequence + 1;
    }
    return undefined;
  }

  /** A branch that begins between a loop's window and its decision plans that window again, under its own settings. */
  private async newestOfTurn(found: RecordedWindow): Promise<RecordedWindow> {
    // an own loop has no turns with names: there every window is of an iteration of its own
    if (found.event.nodeId === undefined) return found;
    const next = await this.firstWindow(found.event.sequence + 1);
    return next?.window.iteration === found.window.iteration ? this.newestOfTurn(next) : found;
  }

  /** The newest overlay of a stretch, of those that windows are held to. */
  async overlay(span: Span): Promise<StandingOverlay | undefined> {
    let newest: StandingOverlay | undefined;
    for await (const event of this.events(span, [RUN_OVERLAID])) newest = standingOverlay(event) ?? newest;
    return newest;
  }

  async *windows(span: Span): AsyncGenerator<RecordedWindow> {
    for await (const event of this.events(span, [WINDOW_PLANNED])) yield recordedWindow(event);
  }

  /** Rows of live turns up to a place; the artifacts of a loop's turns are named by windows up to `namedUpTo`. */
  async rows(
    { tailFrom, apart }: LivePlaces,
    { to, namedUpTo = to }: { readonly to: number; readonly namedUpTo?: number },
    counter: TokenCounterName,
  ): Promise<readonly TranscriptRow[]> {
    const rows: TranscriptRow[] = [];
    for (const place of apart) {
      for await (const row of this.rowsWithin({ from: place, to: place }, counter)) rows.push(row);
    }
    for await (const row of this.rowsWithin({ from: tailFrom, to }, counter)) rows.push(row);
    return this.named(rows, namedUpTo);
  }

  /** Of every transcript event up to a place; a loop's turns without their artifacts. */
  allRows(to: number, counter: TokenCounterName): AsyncGenerator<TranscriptRow> {
    return this.rowsWithin({ from: 0, to }, counter);
  }

  /** What the events of a loop's transcript say. */
  async *loopTurns(span: Span): AsyncGenerator<LoopTurn> {
    for await (const event of this.events(span, LOOP_TURN_TYPES)) {
      const message = event.counts && loopMessage(event);
      if (message) yield { sequence: event.sequence, message };
    }
  }

  /**
   * The pins as of a place: those of the last window, which lists them, and what came after it. One that was counted in
   * another unit lists them in vain.
   */
  async pins(
    window: WindowPlanned | undefined,
    to: number,
    counter: TokenCounterName,
  ): Promise<readonly Pin[]> {
    const listed = window?.tokenCounter === counter ? window : undefined;
    let pins: readonly Pin[] = listed?.pins ?? [];
    const from = listed ? listed.asOfSequence + 1 : 0;
    for await (const event of this.events({ from, to }, PIN_TYPES))
      pins = pinsKnownAfter(pins, event, counter);
    return pins;
  }

  async instructions(to: number): Promise<Instruction[]> {
    const found: Instruction[] = [];
    for await (const event of this.events({ from: 0, to }, [INSTRUCTION_ADDED])) {
      found.push({ event, artifactId: instructionAddedSchema.parse(event.payload).artifactId });
    }
    return found;
  }

  async summaryAt(sequence: number): Promise<RecordedSummary | undefined> {
    for await (const found of this.summaries({ from: sequence, to: sequence })) return found;
    return undefined;
  }

  async *summaries(span: Span): AsyncGenerator<RecordedSummary> {
    for await (const event of this.events(span, [CONTEXT_SUMMARIZED])) {
      yield { event, summary: contextSummarizedSchema.parse(event.payload) };
    }
  }

  private async *rowsWithin(span: Span, counter: TokenCounterName): AsyncGenerator<TranscriptRow> {
    for await (const event of this.events(span, TRANSCRIPT_TYPES)) {
      const row = transcriptRow(event, counter);
      if (row) yield row;
    }
  }

  private async named(rows: readonly TranscriptRow[], upTo: number): Promise<readonly TranscriptRow[]> {
    const first = rows.find(hasNoArtifact);
    if (!first) return rows;
    let named = rows;
    for await (const { window } of this.windows({ from: first.sequence, to: upTo })) {
      named = withStoredTurns(named, window.turns);
    }
    return named;
  }

  private events({ from, to }: Span, types: readonly string[]): AsyncGenerator<RecordedEvent> {
    return readEvents(this.log, { ...this.run, from, to, types });
  }
}

/** The recorded summaries that a window feeds, in the order it feeds them. */
export function fedSummaries(
  summaries: readonly RecordedSummary[],
  { summarySequences }: WindowPlanned,
): RecordedSummary[] {
  return summarySequences.flatMap((place) => summaries.filter(({ event }) => event.sequence === place));
}

function recordedWindow(event: RecordedEvent): RecordedWindow {
  return { event, window: windowPlannedSchema.parse(event.payload) };
}

export function standingSummary({ event, summary }: RecordedSummary): StandingSummary {
  return { sequence: event.sequence, summary };
}

export function instructionEntry({ event, artifactId }: Instruction): InstructionEntry {
  return { eventId: event.eventId, sequence: event.sequence, artifactId };
}
