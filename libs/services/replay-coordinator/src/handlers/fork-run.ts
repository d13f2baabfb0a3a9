import { forkRunSchema, type ForkedRun, type ForkRun, type JsonValue } from '@palimpsest/contracts';
import { parseRequest } from '@palimpsest/kernel';
import { ForkFailedError } from '../domain/fork.errors.js';
import { requireSameFork, type ForkJob } from '../domain/fork-job.js';
import type { ForkWorks } from '../fork/fork-works.js';
import { preflightFork } from '../preflight/preflight-fork.js';
import { JOB_RECORDED } from '../race-points.js';
import type { ReplayPorts } from '../replay-ports.js';

/**
 * Forks a run. The caller allocates the fork's id, so that a request sent twice makes one fork: what was
 * allowed once is not asked for again, whatever became of the source since. The answer says `pending`
 * always, as the host specification has it; the run's own header tells how far it is.
 */
export async function forkRun(ports: ReplayPorts, works: ForkWorks, body: JsonValue): Promise<JsonValue> {
  const command = parseRequest(forkRunSchema, body);
  const recorded = await ports.jobs.find(command.tenantId, command.forkRunId);
  const job = recorded ? requireSameFork(askedJob(command), recorded) : await allowedJob(ports, command);
  return made(works, job);
}

/**
 * As {@link forkRun}, where the fork was allowed before; says nothing of another. An overlay need not be there for it, only the
 * digest of what was asked: a job without one, of an older version, is found with the overlay alone.
 */
export async function forkRunAgain(
  ports: ReplayPorts,
  works: ForkWorks,
  body: JsonValue,
): Promise<JsonValue> {
  const command = parseRequest(forkRunSchema, body);
  const recorded = await ports.jobs.find(command.tenantId, command.forkRunId);
  if (!recorded || (command.overlayDigest !== undefined && recorded.overlayDigest === undefined)) return {};
  return { forked: await made(works, requireSameFork(askedJob(command), recorded)) };
}

async function made(works: ForkWorks, job: ForkJob): Promise<ForkedRun> {
  const { forkRunId: runId, sourceRunId, fromSeq, mode, failedCode } = job;
  if (failedCode !== undefined) throw new ForkFailedError(failedCode, runId);
  await works.make(job);
  return { runId, sourceRunId, fromSeq, mode, status: 'pending' };
}

function askedJob({ runId: sourceRunId, fromSeq = 0, ...command }: ForkRun): ForkJob {
  const { tenantId, forkRunId, mode, overlay, overlayDigest } = command;
  const asked = { ...(overlay && { overlay }), ...(overlayDigest !== undefined && { overlayDigest }) };
  return { tenantId, forkRunId, sourceRunId, mode, fromSeq, ...asked };
}

/** Holds the job's row only: of two equal requests at once both come here, and both get the one recorded. */
async function allowedJob(ports: ReplayPorts, command: ForkRun): Promise<ForkJob> {
  const asked = await preflightFork(ports, command);
  const job = requireSameFork(asked, await ports.jobs.record(asked, ports.clock.now()));
  await ports.races.reach(JOB_RECORDED);
  return job;
}
