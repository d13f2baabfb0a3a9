import { eventIdOf, isTerminalEventType, STREAMS } from '@palimpsest/contracts';
import type { MessageBus } from '@palimpsest/kernel';
import type { Recorded } from '../handlers/run-log-ports.js';
import { advanceJobOf } from './advance-job.js';

/**
 * Gives the orchestrator its job straight from the append. The relay gives the same one (the bus drops the second), but
 * only once no older transaction is open on the database server, be it of another database: an event must not be
 * overtaken there, whereas a run need not wait for strangers. What goes wrong here is left to the relay.
 */
export function promptJobs(bus: Pick<MessageBus, 'publish'>): (recorded: Recorded) => void {
  return ({ tenantId, runId, firstSequence, events }) => {
    if (events.some(({ type }) => isTerminalEventType(type))) return;
    const jobs = events.map((event, place) =>
      advanceJobOf({
        tenantId,
        event: { ...event, runId, eventId: eventIdOf(runId, firstSequence + place) },
      }),
    );
    // One look at the run sees all of them.
    const job = jobs.filter((each) => each !== undefined).at(-1);
    if (job) bus.publish(STREAMS.advance, job).catch(() => undefined);
  };
}
