import type { JsonObject } from '@palimpsest/contracts';
import { hasCode, NotFoundError } from '@palimpsest/kernel';
import type { ForkJob } from '../domain/fork-job.js';
import { runKindOf, type RunKind } from '../domain/run-kind.js';
import type { ReplayPorts } from '../replay-ports.js';

/** Where a fork that is being made stands. */
export type ForkPlace = { readonly next: number; readonly kind: RunKind; readonly state: JsonObject };

export async function placeOf(ports: ReplayPorts, job: ForkJob): Promise<ForkPlace> {
  const header = await ports.eventLog.header(job.tenantId, job.forkRunId);
  if (!header) throw new NotFoundError('The fork', { runId: job.forkRunId });
  return { next: header.head + 1, kind: runKindOf(header.workflowId), state: header.state };
}

/** The fork's own state has the last word: one that diverged has nothing more to repeat. */
export function targetIn({ state }: ForkPlace, { target = -1 }: ForkJob): number {
  const { replayTarget = target } = state as { readonly replayTarget?: number };
  return Math.min(target, replayTarget);
}

/** What was written at a place, or where the fork stands now that another coordinator has written there first. */
export async function writtenOrOvertaken(
  ports: ReplayPorts,
  job: ForkJob,
  { place, write }: { readonly place: ForkPlace; readonly write: () => Promise<ForkPlace> },
): Promise<ForkPlace> {
  try {
    return await write();
  } catch (error) {
    if (!hasCode(error, 'sequence_conflict')) throw error;
    const now = await placeOf(ports, job);
    if (now.next === place.next) throw error;
    return now;
  }
}
