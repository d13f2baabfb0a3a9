import type { JsonObject, RunHeader } from '@palimpsest/contracts';
import { NotFoundError, SequenceConflictError } from '@palimpsest/kernel';
import { runStatusOf } from '@palimpsest/workflow';
import { placeOfOverlay, type ForkJob } from '../domain/fork-job.js';
import { runKindOf, type Standing } from '../domain/run-kind.js';
import { FORK_LINKED, FORK_ROW_WRITTEN } from '../race-points.js';
import type { ReplayPorts } from '../replay-ports.js';
import { recordOverlay } from './record-overlay.js';
import { stateAt } from './state-at.js';
import { workflowStateAt } from './workflow-state-at.js';

/**
 * Makes the fork's run and lets it read what its source refers to. Idempotent: all steps may be taken again.
 * A fork that still has to re-emit is `pending` until its first page, a branch with an overlay until that is recorded.
 */
export async function openFork(ports: ReplayPorts, job: ForkJob): Promise<void> {
  const { tenantId, forkRunId, sourceRunId } = job;
  const standing = await ports.eventLog.header(tenantId, forkRunId);
  if (!standing) await writeForkRow(ports, job);
  else if (standing.origin?.runId !== sourceRunId)
    throw new SequenceConflictError(forkRunId, 'no-run', standing.head);
  await ports.races.reach(FORK_ROW_WRITTEN);
  await ports.artifacts.linkFork(tenantId, forkRunId, sourceRunId);
  await ports.races.reach(FORK_LINKED);
  await recordOverlay(ports, job);
}

async function writeForkRow(ports: ReplayPorts, job: ForkJob): Promise<void> {
  const { tenantId, forkRunId, sourceRunId, mode, fromSeq } = job;
  const target = job.overlay ? placeOfOverlay(job) : job.target;
  const source = await ports.eventLog.header(tenantId, sourceRunId);
  if (!source) throw new NotFoundError('The run', { runId: sourceRunId });
  const at = ports.clock.now();
  const shared = await sharedStanding(ports, { source, sequence: fromSeq, now: at });
  // a replay that begins where its source was cut short has nothing to repeat
  const pending = target !== undefined && target >= fromSeq;
  await ports.eventLog.fork({
    tenantId,
    runId: forkRunId,
    origin: { runId: sourceRunId, fromSequence: fromSeq, mode },
    at,
    status: pending ? 'pending' : shared.status,
    state: pending ? { ...shared.state, replayTarget: target } : shared.state,
  });
}

async function sharedStanding(
  ports: ReplayPorts,
  at: { readonly source: RunHeader; readonly sequence: number; readonly now: Date },
): Promise<Standing> {
  if (runKindOf(at.source.workflowId) === 'own-loop') {
    const state = await stateAt(ports.eventLog, at.source, at.sequence);
    return { state: state as unknown as JsonObject, status: 'running' };
  }
  const state = await workflowStateAt(ports.eventLog, at.source, at);
  return state
    ? { state: state as unknown as JsonObject, status: runStatusOf(state) }
    : { state: {}, status: 'pending' };
}
