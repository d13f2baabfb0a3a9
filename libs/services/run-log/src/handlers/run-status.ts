import type { JsonValue, RunStatusAnswer } from '@palimpsest/contracts';
import { NotFoundError } from '@palimpsest/kernel';
import type { RunLogPorts } from './run-log-ports.js';

/** A run's status as it stands. */
export async function answerStatus(
  { eventLog }: RunLogPorts,
  { tenantId, runId }: { readonly tenantId: string; readonly runId: string },
): Promise<JsonValue> {
  const header = await eventLog.header(tenantId, runId);
  if (!header) throw new NotFoundError('The run', { runId });
  const answer: RunStatusAnswer = { runId, status: header.status };
  return answer;
}
