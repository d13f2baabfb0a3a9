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
    const placed = events.map((event, place) => ({
      ...event,
      runId,
      eventId: eventIdOf(runId, firstSequence + place),
    }));
    // A run that has ended goes nowhere; the one that waits for it may.
    const ends = placed.filter(({ type }) => isTerminalEventType(type));
    const jobs = (ends.length > 0 ? ends : placed).map((event) => advanceJobOf({ tenantId, event }));
    // One look at the run sees all of them.
    const job = jobs.filter((each) => each !== undefined).at(-1);
    if (job) bus.publish(STREAMS.advance, job).catch(() => undefined);
  };
}
