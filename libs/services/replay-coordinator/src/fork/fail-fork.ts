import { RUN_FAILED, type ErrorCode, type JsonObject, type RunHeader } from '@palimpsest/contracts';
import { isPalimpsestError } from '@palimpsest/kernel';
import type { ForkJob } from '../domain/fork-job.js';
import { runKindOf, standingAfter } from '../domain/run-kind.js';
import type { ReplayPorts } from '../replay-ports.js';
import { stateAt } from './state-at.js';

/**
 * Gives up a fork that can never be made: its run, where it stands half made, ends as `run.failed` with the reason, so that
 * whoever waits for it is told; then its job is taken up no more. May be done again.
 * @throws sequence_conflict where another is at work on the fork: what failed here may not have failed there
 */
export async function failFork(ports: ReplayPorts, job: ForkJob, code: ErrorCode): Promise<void> {
  const runId = job.forkRunId;
  ports.logger.error({ code, runId }, 'A fork can never be made: it is given up');
  const fork = await ports.eventLog.header(job.tenantId, runId);
  if (fork && isHalfMade(fork, job)) await endFailed(ports, fork, code);
  await ports.jobs.fail(job, code, ports.clock.now());
}

/** Not of a run that another fork has the id of, and of none that has no start: a log begins with that. */
function isHalfMade({ origin, head, state }: RunHeader, job: ForkJob): boolean {
  const { replayTarget = -1 } = state as { readonly replayTarget?: number };
  return origin?.runId === job.sourceRunId && head >= 0 && head < replayTarget;
}

async function endFailed(ports: ReplayPorts, fork: RunHeader, code: ErrorCode): Promise<void> {
  const { tenantId, runId, head } = fork;
  const error = { code, message: 'The fork could not be made.' };
  const failed = { type: RUN_FAILED, payload: { error }, schemaVersion: 1 };
  try {
    const before = await standingOf(ports, fork);
    const at = ports.clock.now();
    const placed = { events: [{ ...failed, sequence: head + 1 }], timestamp: at.toISOString() };
    const header = standingAfter(runKindOf(fork.workflowId), before, placed);
    await ports.eventLog.append({ tenantId, runId, expectedHead: head, events: [failed], at, header });
  } catch (refusal) {
    const isRefused =
      isPalimpsestError(refusal) && !refusal.retryable && refusal.code !== 'sequence_conflict';
    if (!isRefused) throw refusal;
    ports.logger.error({ code: refusal.code, runId }, 'The run of a fork that was given up stays as it is');
  }
}

/** What the fork has so far: a replay has repeated all that it ever will. An own loop's state is not kept up with its events. */
async function standingOf(ports: ReplayPorts, { head, ...fork }: RunHeader): Promise<JsonObject> {
  const state =
    runKindOf(fork.workflowId) === 'own-loop'
      ? ((await stateAt(ports.eventLog, { ...fork, head }, head + 1)) as unknown as JsonObject)
      : fork.state;
  const { replayTarget: _target, ...before } = state;
  return fork.origin?.mode === 'replay' ? { ...before, replayTarget: head } : before;
}
