import { ownLoopStatusAfter, RE_EMIT_EVENTS, type JsonObject } from '@palimpsest/contracts';
import { NotFoundError, type HeaderChange } from '@palimpsest/kernel';
import type { ForkJob } from '../domain/fork-job.js';
import { PAGE_READ } from '../race-points.js';
import type { ReplayPorts } from '../replay-ports.js';
import { targetIn, writtenOrOvertaken, type ForkPlace } from './fork-place.js';
import { stateAt } from './state-at.js';

/**
 * A stretch of an own loop's events, which the log re-emits by itself: nothing in them is to be looked at, as what they
 * add up to is known from the source. Until the last one the fork's state is that of its fork point. Undefined where
 * the log cannot, as the events are older than its chains.
 */
export async function reEmitStretch(
  ports: ReplayPorts,
  job: ForkJob,
  place: ForkPlace,
): Promise<ForkPlace | undefined> {
  const { tenantId, forkRunId: runId, sourceRunId: fromRunId } = job;
  const target = targetIn(place, job);
  const fromSequence = place.next;
  const toSequence = Math.min(target, fromSequence + RE_EMIT_EVENTS - 1);
  const header: HeaderChange =
    toSequence < target ? { status: 'running' } : await standingAtTarget(ports, job, target);
  await ports.races.reach(PAGE_READ);
  const at = ports.clock.now();
  let reEmitted = true;
  const write = async (): Promise<ForkPlace> => {
    const range = { fromRunId, fromSequence, toSequence };
    reEmitted = await ports.eventLog.reEmit({ tenantId, runId, ...range, at, header });
    return { ...place, next: toSequence + 1, state: header.state ?? place.state };
  };
  const now = await writtenOrOvertaken(ports, job, { place, write });
  return reEmitted ? now : undefined;
}

async function standingAtTarget(ports: ReplayPorts, job: ForkJob, target: number): Promise<HeaderChange> {
  const { tenantId, sourceRunId: runId } = job;
  const source = await ports.eventLog.header(tenantId, runId);
  const last = await ports.eventLog.readRun({ tenantId, runId, fromSequence: target, limit: 1 });
  if (!source || !last.events[0]) throw new NotFoundError('The source of a replay', { runId });
  const state = { ...(await stateAt(ports.eventLog, source, target + 1)), replayTarget: target };
  return { status: ownLoopStatusAfter(last.events[0].type), state: state as unknown as JsonObject };
}
