import {
  CONTEXT_SUMMARIZED,
  WINDOW_PLANNED,
  type ContextSummarized,
  type RecordedEvent,
  type WindowPlanned,
} from '@palimpsest/contracts';
import { readEvents, type ArtifactReference, type EventLog } from '@palimpsest/kernel';

export type ForkPlace = {
  readonly tenantId: string;
  readonly sourceRunId: string;
  readonly fromSeq: number;
  /** The source's last event as of the request. */
  readonly last: number;
};

/**
 * All that a replay feeds again, in batches: every summary recorded from the fork point on, the cut renderings of every
 * window from there, and the summaries that those windows feed from before it.
 */
export async function* artifactsOfReplay(
  eventLog: EventLog,
  place: ForkPlace,
): AsyncGenerator<readonly ArtifactReference[]> {
  const { tenantId, sourceRunId: runId, fromSeq, last: toSequence } = place;
  const earlier = new Set<number>();
  let next: number | undefined = fromSeq;
  while (next !== undefined && next <= toSequence) {
    const found = await eventLog.contextReferences({ tenantId, runId, fromSequence: next, toSequence });
    yield [...found.summaries.map(summaryReference), ...found.renderings.map(renderingReference)];
    for (const sequence of found.earlierSummaries) if (sequence < fromSeq) earlier.add(sequence);
    next = found.next;
  }
  yield await summariesAt(eventLog, place, earlier);
}

/** What a branch's first window could feed: the summaries and cuts of the last window before the fork point. */
export async function* artifactsOfBranch(
  eventLog: EventLog,
  place: ForkPlace,
): AsyncGenerator<readonly ArtifactReference[]> {
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
  // The log holds what its own schemas accepted; payloads are read back without checking them again.
  const { cuts, summarySequences } = window.payload as unknown as WindowPlanned;
  yield cuts.map(({ artifactId }) => renderingReference(artifactId));
  yield await summariesAt(eventLog, place, new Set(summarySequences));
}

async function summariesAt(
  eventLog: EventLog,
  place: ForkPlace,
  sequences: ReadonlySet<number>,
): Promise<readonly ArtifactReference[]> {
  if (sequences.size === 0) return [];
  const range = {
    tenantId: place.tenantId,
    runId: place.sourceRunId,
    from: Math.min(...sequences),
    to: Math.max(...sequences),
    types: [CONTEXT_SUMMARIZED],
  };
  const references: ArtifactReference[] = [];
  for await (const event of readEvents(eventLog, range))
    if (sequences.has(event.sequence)) references.push(summaryReference(summaryOf(event)));
  return references;
}

function summaryOf({ payload }: RecordedEvent): string {
  return (payload as unknown as ContextSummarized).summaryRef;
}

function summaryReference(artifactId: string): ArtifactReference {
  return { artifactId, type: 'context.summary' };
}

function renderingReference(artifactId: string): ArtifactReference {
  return { artifactId, type: 'context.rendering' };
}
