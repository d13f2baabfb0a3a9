import { RUN_OVERLAID, type RunHeader } from '@palimpsest/contracts';
import { NotFoundError } from '../errors/known-errors.js';
import type { EventLog } from '../ports/event-log.js';

/**
 * The run whose header tells under which settings a run stood at a place. A header tells those of its head: an overlay is
 * an event of a fork, and below it the settings are those of the run that it left; a fork that is not complete has
 * nothing to tell yet. Runs that are no fork are looked at no further.
 */
export async function settingsHolder(
  eventLog: EventLog,
  run: RunHeader,
  sequence: number,
): Promise<RunHeader> {
  let holder = run;
  while (holder.origin && (isIncomplete(holder) || (await isOverlaidLater(eventLog, holder, sequence)))) {
    const source = await eventLog.header(run.tenantId, holder.origin.runId);
    if (!source) throw new NotFoundError('The run', { runId: holder.origin.runId });
    holder = source;
  }
  return holder;
}

function isIncomplete({ head, state }: RunHeader): boolean {
  const { replayTarget = -1 } = state as { readonly replayTarget?: number };
  return head < replayTarget;
}

async function isOverlaidLater(eventLog: EventLog, run: RunHeader, sequence: number): Promise<boolean> {
  const { tenantId, runId } = run;
  const range = { tenantId, runId, fromSequence: sequence, limit: 1, types: [RUN_OVERLAID] };
  return (await eventLog.readRun(range)).events.length > 0;
}
