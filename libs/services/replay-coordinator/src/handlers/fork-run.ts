import { forkRunSchema, type ForkedRun, type ForkRun, type JsonValue } from '@palimpsest/contracts';
import { parseRequest } from '@palimpsest/kernel';
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
  const job = (await recordedJob(ports, command)) ?? (await allowedJob(ports, command));
  await works.make(job);
  const answer: ForkedRun = {
    runId: job.forkRunId,
    sourceRunId: job.sourceRunId,
    fromSeq: job.fromSeq,
    mode: job.mode,
    status: 'pending',
  };
  return answer;
}

async function recordedJob(ports: ReplayPorts, command: ForkRun): Promise<ForkJob | undefined> {
  const { tenantId, forkRunId, runId: sourceRunId, mode, overlay } = command;
  const recorded = await ports.jobs.find(tenantId, forkRunId);
  if (!recorded) return undefined;
  const fromSeq = command.fromSeq ?? 0;
  const asked = { tenantId, forkRunId, sourceRunId, mode, fromSeq, ...(overlay && { overlay }) };
  return requireSameFork(asked, recorded);
}

/** Holds the job's row only: of two equal requests at once both come here, and both get the one recorded. */
async function allowedJob(ports: ReplayPorts, command: ForkRun): Promise<ForkJob> {
  const asked = await preflightFork(ports, command);
  const job = requireSameFork(asked, await ports.jobs.record(asked, ports.clock.now()));
  await ports.races.reach(JOB_RECORDED);
  return job;
}
