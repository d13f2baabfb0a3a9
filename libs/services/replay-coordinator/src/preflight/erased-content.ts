import {
  INSTRUCTION_ADDED,
  MESSAGE_APPENDED,
  WINDOW_PLANNED,
  WORKER_RETURNED,
  type RecordedEvent,
  type WindowPlanned,
} from '@palimpsest/contracts';
import { readEvents, type ArtifactStore, type EventLog } from '@palimpsest/kernel';
import type { ForkPlace } from './context-artifacts.js';

type Ports = { readonly eventLog: EventLog; readonly artifacts: ArtifactStore };

/** What windows of a replay feed beside summaries and cuts. */
type Fed = {
  /** Of the first window: it feeds the messages from here on, and the older ones apart. No later window feeds more of the older. */
  readonly tailFrom: number;
  readonly apart: ReadonlySet<number>;
  /** The last event that a window was planned on. */
  readonly asOf: number;
};

/**
 * True where a replay would feed a message, an instruction, a pin or a turn of a loop that was erased. The store knows what
 * is erased of a run, mostly nothing: only where there is something, the log is asked who feeds it.
 */
export async function feedsErased(ports: Ports, place: ForkPlace): Promise<boolean> {
  const erased = new Set(await ports.artifacts.erasedOf(place.tenantId, place.sourceRunId));
  if (erased.size === 0) return false;
  const fed = await fedBy(ports.eventLog, place);
  if (!fed) return false;
  const { tenantId, sourceRunId: runId, last } = place;
  const said = { tenantId, runId, from: 0, to: fed.asOf, types: [INSTRUCTION_ADDED] };
  for await (const event of readEvents(ports.eventLog, said)) if (erased.has(contentOf(event))) return true;
  const from = Math.min(fed.tailFrom, ...fed.apart);
  const types = [MESSAGE_APPENDED, WORKER_RETURNED, WINDOW_PLANNED];
  for await (const event of readEvents(ports.eventLog, { tenantId, runId, from, to: last, types }))
    if (fedIn(event, fed, place).some((artifactId) => erased.has(artifactId))) return true;
  return false;
}

async function fedBy(eventLog: EventLog, place: ForkPlace): Promise<Fed | undefined> {
  const { tenantId, sourceRunId: runId, fromSeq, last } = place;
  const one = { tenantId, runId, types: [WINDOW_PLANNED], limit: 1 };
  const [first, newest] = await Promise.all([
    eventLog.readRun({ ...one, fromSequence: fromSeq }),
    eventLog.readRun({ ...one, fromSequence: last, backwards: true }),
  ]);
  if (!first.events[0] || !newest.events[0]) return undefined;
  const { tailFromSequence: tailFrom, islands, pending } = windowOf(first.events[0]);
  const apart = new Set([...islands, ...pending].flat());
  return { tailFrom, apart, asOf: windowOf(newest.events[0]).asOfSequence };
}

/** Artifacts that an event brings into windows from the fork point on. */
function fedIn(event: RecordedEvent, fed: Fed, { fromSeq }: ForkPlace): readonly string[] {
  const isFed = (sequence: number): boolean =>
    sequence <= fed.asOf && (sequence >= fed.tailFrom || fed.apart.has(sequence));
  if (event.type !== WINDOW_PLANNED) return isFed(event.sequence) ? [contentOf(event)] : [];
  const { turns = [], pins = [] } = windowOf(event);
  return [...turns.filter(({ sequence }) => isFed(sequence)), ...(event.sequence < fromSeq ? [] : pins)].map(
    ({ artifactId }) => artifactId,
  );
}

// The log holds what its own schemas accepted; payloads are read back without checking them again.
function windowOf({ payload }: RecordedEvent): WindowPlanned {
  return payload as unknown as WindowPlanned;
}

function contentOf({ payload }: RecordedEvent): string {
  return payload['artifactId'] as string;
}
