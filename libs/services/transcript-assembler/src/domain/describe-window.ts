import {
  eventIdOf,
  type ContextSummarized,
  type WindowEntry,
  type WindowPlanned,
} from '@palimpsest/contracts';
import { isWithin } from './carried-over.js';
import type { Pin } from './pins.js';
import type { TranscriptRow } from './turn.js';

export type FedSummary = { readonly sequence: number; readonly summaryRef: string; readonly tokens: number };

/** A recorded summary as a window feeds it: in its own unit, and else as the window says. */
export function fedSummary(
  { recounted }: WindowPlanned,
  { sequence, summary }: { readonly sequence: number; readonly summary: ContextSummarized },
): FedSummary {
  const { summaryRef, tokensAfter } = summary;
  const again = recounted?.find((one) => one.sequence === sequence);
  return { sequence, summaryRef, tokens: again?.tokens ?? tokensAfter };
}

export type DescribedWindow = {
  readonly runId: string;
  readonly window: WindowPlanned;
  /** Live rows as of the window: its tail and what stands apart. */
  readonly rows: readonly TranscriptRow[];
  readonly summaries: readonly FedSummary[];
};

/**
 * The entries of a recorded window, in the order they are fed: pins older than the oldest fed turn, summaries, then
 * messages and the other pins in log order.
 */
export function windowEntries({ runId, window, rows, summaries }: DescribedWindow): WindowEntry[] {
  const leftOut = new Set(window.pending.flat());
  const cuts = new Map(window.cuts.map((cut) => [cut.sequence, cut]));
  const fed = rows.filter(({ sequence }) => sequence <= window.asOfSequence && !leftOut.has(sequence));
  const turnEntries = fed.map((row): WindowEntry => {
    const cut = cuts.get(row.sequence);
    const elided = isWithin(window.elided, row.sequence);
    return {
      kind: 'turn',
      eventId: eventIdOf(runId, row.sequence),
      sequence: row.sequence,
      turn: row.callSequence ?? row.sequence,
      role: row.role,
      artifactId: cut?.artifactId ?? row.artifactId,
      form: elided ? 'elided' : cut ? 'cut' : 'full',
      tokens: elided ? 0 : (cut?.tokens ?? row.tokens),
      ...(cut && { messageArtifactId: row.artifactId }),
      toolCallIds: [...row.toolCallIds],
    };
  });
  const oldest = Math.min(...turnEntries.map(({ sequence }) => sequence));
  const pins = (window.pins ?? []).map((pin) => pinEntry(runId, pin));
  const laterPins = pins.filter(({ sequence }) => sequence > oldest);
  const tail = [...turnEntries, ...laterPins];
  return [
    ...pins.filter(({ sequence }) => sequence < oldest),
    ...summaries.map((summary) => summaryEntry(runId, summary)),
    ...(laterPins.length === 0 ? tail : tail.sort((a, b) => a.sequence - b.sequence)),
  ];
}

function pinEntry(runId: string, { sequence, artifactId, tokens }: Pin): WindowEntry {
  return {
    kind: 'pin',
    eventId: eventIdOf(runId, sequence),
    sequence,
    turn: sequence,
    role: 'user',
    artifactId,
    form: 'full',
    tokens,
    toolCallIds: [],
  };
}

function summaryEntry(runId: string, { sequence, summaryRef, tokens }: FedSummary): WindowEntry {
  return {
    kind: 'summary',
    eventId: eventIdOf(runId, sequence),
    sequence,
    turn: sequence,
    role: 'user',
    artifactId: summaryRef,
    form: 'full',
    tokens,
    toolCallIds: [],
  };
}
