import {
  LOG_PAGE_EVENTS,
  type JsonObject,
  type NewRunEvent,
  type RecordedEvent,
} from '@palimpsest/contracts';
import { hasCode, NotFoundError, TerminalError } from '@palimpsest/kernel';
import type { ForkJob } from '../domain/fork-job.js';
import { reEmittedEvent } from '../domain/re-emitted-event.js';
import { divergedEvents, type Divergence } from '../domain/refusal-divergence.js';
import { runKindOf, standingAfter, type RunKind, type Standing } from '../domain/run-kind.js';
import { PAGE_READ, PAGE_WRITTEN } from '../race-points.js';
import type { ReplayPorts } from '../replay-ports.js';
import { divergenceFinder, type FindDivergence } from './find-divergence.js';

type Place = { readonly next: number; readonly kind: RunKind; readonly state: JsonObject };

/**
 * Goes on re-emitting the source's events from where the fork's head stands, at most `pages` pages; true when
 * the target is reached, or where the replay ends before it, as it met a refusal that its source did not. Every page is
 * appended at the head it was read for: a killed coordinator's work is taken up where it stopped, and of two at work on
 * one fork each page has one winner. Recorded facts only: no model that is real and no summarizer is asked for anything.
 */
export async function reEmitEvents(ports: ReplayPorts, job: ForkJob, pages: number): Promise<boolean> {
  const find = divergenceFinder(ports, job);
  let place = await placeOf(ports, job);
  for (let page = 0; place.next <= targetIn(place, job); page += 1) {
    if (page === pages) return false;
    place = await reEmitPage(ports, job, { ...place, find });
    await ports.races.reach(PAGE_WRITTEN);
  }
  return true;
}

/** The fork's own state has the last word: one that diverged has nothing more to repeat. */
function targetIn({ state }: Place, { target = -1 }: ForkJob): number {
  const { replayTarget = target } = state as { readonly replayTarget?: number };
  return Math.min(target, replayTarget);
}

async function placeOf(ports: ReplayPorts, job: ForkJob): Promise<Place> {
  const header = await ports.eventLog.header(job.tenantId, job.forkRunId);
  if (!header) throw new NotFoundError('The fork', { runId: job.forkRunId });
  return { next: header.head + 1, kind: runKindOf(header.workflowId), state: header.state };
}

async function reEmitPage(
  ports: ReplayPorts,
  job: ForkJob,
  { find, ...place }: Place & { readonly find: FindDivergence },
): Promise<Place> {
  const read = await sourcePage(ports, job, place.next);
  if (read.length === 0)
    throw new TerminalError('internal_error', 'The source of a replay is shorter than it was.');
  const divergence = place.kind === 'workflow' ? await find(read) : undefined;
  await ports.races.reach(PAGE_READ);
  const at = ports.clock.now();
  const { events, header } = pageOf(read, job, { ...place, divergence, timestamp: at.toISOString() });
  try {
    await ports.eventLog.append({
      tenantId: job.tenantId,
      runId: job.forkRunId,
      expectedHead: place.next - 1,
      events,
      at,
      header,
    });
    return { ...place, next: place.next + events.length, state: header.state };
  } catch (error) {
    if (!hasCode(error, 'sequence_conflict')) throw error;
    const now = await placeOf(ports, job);
    if (now.next === place.next) throw error;
    return now;
  }
}

type Page = { readonly events: readonly NewRunEvent[]; readonly header: Standing };
type At = Place & { readonly divergence: Divergence | undefined; readonly timestamp: string };

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
