import {
  CONTEXT_SUMMARIZED,
  INSTRUCTION_ADDED,
  MESSAGE_APPENDED,
  WINDOW_PLANNED,
  WORKER_RETURNED,
  type ContextSummarized,
  type InstructionAdded,
  type MessageAppended,
  type RecordedEvent,
  type RunHeader,
  type WindowPlanned,
} from '@palimpsest/contracts';
import { readEvents, type EventLog } from '@palimpsest/kernel';
import type { RecordedTexts } from './domain/fed-texts.js';
import type { PlannedWindow } from './domain/window-pairs.js';

const TEXT_TYPES = [MESSAGE_APPENDED, WORKER_RETURNED, WINDOW_PLANNED, CONTEXT_SUMMARIZED];

type Found = {
  readonly turns: Map<number, string>;
  readonly summaries: Map<number, string>;
  readonly instructions: Map<number, string>;
};

/**
 * Names of the texts that windows of a run feed. Read are the events from the oldest tail to the last window, and one by
 * one the few that stand before it. Instructions from before `equalBelow` are the other run's, too, and left out.
 */
export async function recordedTexts(
  eventLog: EventLog,
  run: RunHeader,
  { windows, equalBelow }: { readonly windows: readonly PlannedWindow[]; readonly equalBelow: number },
): Promise<RecordedTexts> {
  const { tenantId, runId } = run;
  const found: Found = { turns: new Map(), summaries: new Map(), instructions: new Map() };
  const from = Math.min(...windows.map(({ window }) => window.tailFromSequence));
  const to = Math.max(...windows.map(({ sequence }) => sequence));
  for (const sequence of olderPlaces(windows, from)) {
    const range = { tenantId, runId, from: sequence, to: sequence };
    for await (const event of readEvents(eventLog, range)) note(event, found);
  }
  for await (const event of readEvents(eventLog, { tenantId, runId, from, to, types: TEXT_TYPES })) {
    note(event, found);
  }
  const said = { tenantId, runId, from: equalBelow, to, types: [INSTRUCTION_ADDED] };
  for await (const event of readEvents(eventLog, said)) note(event, found);
  return found;
}

/** Ascending, so that turns are noted in log order. */
function olderPlaces(windows: readonly PlannedWindow[], from: number): readonly number[] {
  const named = windows.flatMap(({ window }) => [...window.summarySequences, ...window.islands.flat()]);
  return [...new Set(named)].filter((sequence) => sequence < from).sort((a, b) => a - b);
}

/** The log holds what its own schemas accepted; payloads are read back without checking them again. */
function note({ type, sequence, payload }: RecordedEvent, found: Found): void {
  switch (type) {
    case MESSAGE_APPENDED:
    case WORKER_RETURNED:
      return void found.turns.set(sequence, (payload as unknown as MessageAppended).artifactId);
    case CONTEXT_SUMMARIZED:
      return void found.summaries.set(sequence, (payload as unknown as ContextSummarized).summaryRef);
    case INSTRUCTION_ADDED:
      return void found.instructions.set(sequence, (payload as unknown as InstructionAdded).artifactId);
    case WINDOW_PLANNED:
      for (const turn of (payload as unknown as WindowPlanned).turns ?? [])
        found.turns.set(turn.sequence, turn.artifactId);
  }
}
