import { LOG_PAGE_EVENTS, type NewRunEvent, type RecordedEvent } from '@palimpsest/contracts';
import { TerminalError } from '@palimpsest/kernel';
import type { ForkJob } from '../domain/fork-job.js';
import { reEmittedEvent } from '../domain/re-emitted-event.js';
import { divergedEvents, type Divergence } from '../domain/refusal-divergence.js';
import { standingAfter, type Standing } from '../domain/run-kind.js';
import { PAGE_READ } from '../race-points.js';
import type { ReplayPorts } from '../replay-ports.js';
import type { FindDivergence } from './find-divergence.js';
import { writtenOrOvertaken, type ForkPlace } from './fork-place.js';

/**
 * A page of the source's events, which is read: for what they add up to, and for a refusal that the replay meets and its
 * source did not. Where nothing of it changes, the log re-emits it by itself.
 */
export async function reEmitPage(
  ports: ReplayPorts,
  job: ForkJob,
  { find, ...place }: ForkPlace & { readonly find: FindDivergence },
): Promise<ForkPlace> {
  const read = await sourcePage(ports, job, place.next);
  if (read.length === 0)
    throw new TerminalError('internal_error', 'The source of a replay is shorter than it was.');
  const divergence = place.kind === 'workflow' ? await find(read) : undefined;
  await ports.races.reach(PAGE_READ);
  const at = ports.clock.now();
  const page = pageOf(read, job, { ...place, divergence, timestamp: at.toISOString() });
  const write = async (): Promise<ForkPlace> => {
    const unchanged = !divergence && (await reEmitted(ports, job, { ...page, place, at }));
    if (!unchanged) await appended(ports, job, { ...page, place, at });
    return { ...place, next: place.next + page.events.length, state: page.header.state };
  };
  return writtenOrOvertaken(ports, job, { place, write });
}

type Written = Page & { readonly place: ForkPlace; readonly at: Date };

function reEmitted(
  ports: ReplayPorts,
  job: ForkJob,
  { events, header, place, at }: Written,
): Promise<boolean> {
  const { tenantId, forkRunId: runId, sourceRunId: fromRunId } = job;
  const range = { fromSequence: place.next, toSequence: place.next + events.length - 1 };
  return ports.eventLog.reEmit({ tenantId, runId, fromRunId, ...range, at, header });
}

async function appended(
  ports: ReplayPorts,
  job: ForkJob,
  { events, header, place, at }: Written,
): Promise<void> {
  const { tenantId, forkRunId: runId } = job;
  await ports.eventLog.append({ tenantId, runId, expectedHead: place.next - 1, events, at, header });
}

type Page = { readonly events: readonly NewRunEvent[]; readonly header: Standing };
type At = ForkPlace & { readonly divergence: Divergence | undefined; readonly timestamp: string };

/** Events as the fork records them, and its header after them. */
function pageOf(read: readonly RecordedEvent[], { forkRunId }: ForkJob, at: At): Page {
  const { kind, state, divergence, timestamp } = at;
  const end = divergence ? read.indexOf(divergence.event) : read.length;
  const repeated = read.slice(0, end);
  const own = divergence ? placed(divergedEvents(divergence), divergence.event.sequence) : [];
  // It has repeated all it was to repeat.
  const before = divergence ? { ...state, replayTarget: divergence.event.sequence - 1 } : state;
  return {
    events: [...repeated.map((event) => reEmittedEvent(event, forkRunId)), ...own.map(asNew)],
    header: standingAfter(kind, before, { events: [...repeated, ...own], timestamp }),
  };
}

type Placed = NewRunEvent & { readonly sequence: number };

function placed(events: readonly NewRunEvent[], first: number): readonly Placed[] {
  return events.map((event, place) => ({ ...event, sequence: first + place }));
}

function asNew({ sequence: _sequence, ...event }: Placed): NewRunEvent {
  return event;
}

async function sourcePage(ports: ReplayPorts, job: ForkJob, from: number): Promise<readonly RecordedEvent[]> {
  const target = job.target ?? -1;
  const page = await ports.eventLog.readRun({
    tenantId: job.tenantId,
    runId: job.sourceRunId,
    fromSequence: from,
    limit: Math.min(LOG_PAGE_EVENTS, target - from + 1),
  });
  return page.events;
}
