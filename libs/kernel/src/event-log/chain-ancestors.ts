import type { RunHeader } from '@palimpsest/contracts';
import type { EventLog } from '../ports/event-log.js';

/**
 * The runs that a fork shares events with, the nearest first; none for a run that wrote all of its own. Ends at one
 * that is gone or has been met: what it wrote then has no writer for a `ChainWalk`.
 */
export async function chainAncestors(
  eventLog: Pick<EventLog, 'header'>,
  run: Pick<RunHeader, 'tenantId' | 'runId' | 'origin'>,
): Promise<readonly RunHeader[]> {
  const ancestors: RunHeader[] = [];
  const met = new Set([run.runId]);
  for (let { origin } = run; origin && origin.fromSequence > 0 && !met.has(origin.runId);) {
    met.add(origin.runId);
    const header = await eventLog.header(run.tenantId, origin.runId);
    if (!header) return ancestors;
    ancestors.push(header);
    ({ origin } = header);
  }
  return ancestors;
}
