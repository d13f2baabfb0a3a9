import { LOG_PAGE_EVENTS, type JsonObject, type RecordedEvent } from '@palimpsest/contracts';
import { hasCode, NotFoundError, TerminalError } from '@palimpsest/kernel';
import type { ForkJob } from '../domain/fork-job.js';
import { reEmittedEvent } from '../domain/re-emitted-event.js';
import { runKindOf, standingAfter, type RunKind } from '../domain/run-kind.js';
import { PAGE_READ, PAGE_WRITTEN } from '../race-points.js';
import type { ReplayPorts } from '../replay-ports.js';

type Place = { readonly next: number; readonly kind: RunKind; readonly state: JsonObject };

/**
 * Goes on re-emitting the source's events from where the fork's head stands, at most `pages` pages; true when
 * the target is reached. Every page is appended at the head it was read for: a killed coordinator's work is
 * taken up where it stopped, and of two at work on one fork each page has one winner. Recorded facts only: no
 * model and no summarizer is asked for anything.
 */
export async function reEmitEvents(ports: ReplayPorts, job: ForkJob, pages: number): Promise<boolean> {
  const target = job.target ?? -1;
  let place = await placeOf(ports, job);
  for (let page = 0; place.next <= target; page += 1) {
    if (page === pages) return false;
    place = await reEmitPage(ports, job, place);
    await ports.races.reach(PAGE_WRITTEN);
  }
  return true;
}

async function placeOf(ports: ReplayPorts, job: ForkJob): Promise<Place> {
  const header = await ports.eventLog.header(job.tenantId, job.forkRunId);
  if (!header) throw new NotFoundError('The fork', { runId: job.forkRunId });
  return { next: header.head + 1, kind: runKindOf(header.workflowId), state: header.state };
}

async function reEmitPage(ports: ReplayPorts, job: ForkJob, place: Place): Promise<Place> {
  const events = await sourcePage(ports, job, place.next);
  await ports.races.reach(PAGE_READ);
  const last = events.at(-1);
  if (!last) throw new TerminalError('internal_error', 'The source of a replay is shorter than it was.');
  const at = ports.clock.now();
  const header = standingAfter(place.kind, place.state, { events, timestamp: at.toISOString() });
  try {
    await ports.eventLog.append({
      tenantId: job.tenantId,
      runId: job.forkRunId,
      expectedHead: place.next - 1,
      events: events.map((event) => reEmittedEvent(event, job.forkRunId)),
      at,
      header,
    });
    return { ...place, next: last.sequence + 1, state: header.state };
  } catch (error) {
    if (!hasCode(error, 'sequence_conflict')) throw error;
    const now = await placeOf(ports, job);
    if (now.next === place.next) throw error;
    return now;
  }
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
