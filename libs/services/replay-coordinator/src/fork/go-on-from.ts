import { advanceSubject, isTerminalStatus, STREAMS } from '@palimpsest/contracts';
import type { ForkJob } from '../domain/fork-job.js';
import { runKindOf } from '../domain/run-kind.js';
import type { ReplayPorts } from '../replay-ports.js';

/**
 * A branch of an executed run runs on, and so does a replay behind the record of a source that was cut short, without
 * effects. The orchestrator is told, as no event of the fork's own log may tell it.
 */
export async function goOnFrom(ports: ReplayPorts, job: ForkJob): Promise<void> {
  const { tenantId, forkRunId: runId } = job;
  const fork = await ports.eventLog.header(tenantId, runId);
  if (!fork || runKindOf(fork.workflowId) !== 'workflow' || isTerminalStatus(fork.status)) return;
  await ports.bus.ensureStream(STREAMS.advance);
  await ports.bus.publish(STREAMS.advance, {
    id: `advance:fork:${runId}`,
    subject: advanceSubject(tenantId),
    body: { tenantId, runId },
  });
}
