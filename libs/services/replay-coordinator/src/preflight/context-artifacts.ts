import {
  CONTEXT_SUMMARIZED,
  WINDOW_PLANNED,
  type ContextSummarized,
  type RecordedEvent,
  type WindowPlanned,
} from '@palimpsest/contracts';
import type { EventLog } from '@palimpsest/kernel';
import { readEvents } from '../read-events.js';

/** A stored text that windows of a fork would feed. */
export type ContextArtifact = {
  readonly artifactId: string;
  readonly type: 'context.summary' | 'context.rendering';
};

export type ForkPlace = {
  readonly tenantId: string;
  readonly sourceRunId: string;
  readonly fromSeq: number;
  /** The source's last event as of the request. */
  readonly last: number;
};

/**
 * All that a replay feeds again: every summary recorded from the fork point on, the cut renderings of every
 * window from there, and the summaries that those windows feed from before it.
 */
export async function* artifactsOfReplay(
  eventLog: EventLog,
  place: ForkPlace,
): AsyncGenerator<ContextArtifact> {
  const { tenantId, sourceRunId: runId, fromSeq, last } = place;
  const types = [CONTEXT_SUMMARIZED, WINDOW_PLANNED];
  const earlier = new Set<number>();
  for await (const event of readEvents(eventLog, { tenantId, runId, from: fromSeq, to: last, types })) {
    if (event.type === CONTEXT_SUMMARIZED) yield summaryOf(event);
    else {
      yield* cutsOf(event);
      for (const sequence of summariesOf(event)) if (sequence < fromSeq) earlier.add(sequence);
    }
  }
  yield* summariesAt(eventLog, place, earlier);
}

/** What a branch's first window could feed: the summaries and cuts of the last window before the fork point. */
export async function* artifactsOfBranch(
  eventLog: EventLog,
  place: ForkPlace,
): AsyncGenerator<ContextArtifact> {
  if (place.fromSeq === 0) return;
  const page = await eventLog.readRun({
    tenantId: place.tenantId,
    runId: place.sourceRunId,
    fromSequence: place.fromSeq - 1,
    backwards: true,
    limit: 1,
    types: [WINDOW_PLANNED],
  });
  const window = page.events[0];
  if (!window) return;
  yield* cutsOf(window);
  yield* summariesAt(eventLog, place, new Set(summariesOf(window)));
}

async function* summariesAt(
  eventLog: EventLog,
  place: ForkPlace,
  sequences: ReadonlySet<number>,
): AsyncGenerator<ContextArtifact> {
  if (sequences.size === 0) return;
  const range = {
    tenantId: place.tenantId,
    runId: place.sourceRunId,
    from: Math.min(...sequences),
    to: Math.max(...sequences),
    types: [CONTEXT_SUMMARIZED],
  };
  for await (const event of readEvents(eventLog, range))
    if (sequences.has(event.sequence)) yield summaryOf(event);
}

// The log holds what its own schemas accepted; payloads are read back without checking them again.
function summaryOf(event: RecordedEvent): ContextArtifact {
  const { summaryRef } = event.payload as unknown as ContextSummarized;
  return { artifactId: summaryRef, type: 'context.summary' };
}

function summariesOf(event: RecordedEvent): readonly number[] {
  return (event.payload as unknown as WindowPlanned).summarySequences;
}

function cutsOf(event: RecordedEvent): readonly ContextArtifact[] {
  const { cuts } = event.payload as unknown as WindowPlanned;
  return cuts.map(({ artifactId }) => ({ artifactId, type: 'context.rendering' }));
}
