import { WORKER_RETURNED, type NewRunEvent, type WorkerState } from '@palimpsest/contracts';
import type { Visit } from './dispatch.js';
import type { ReturnedContent } from './effects.js';
import { caused, closedEvent } from './loop-node-events.js';

/** A model is to read what a worker returned: the event refers to it, and has what it counts. */
export function workerReturned(
  { workerId, childRunId = '', ended = 0 }: WorkerState,
  { artifactId, counts }: ReturnedContent,
  { node, moment }: Visit,
): NewRunEvent {
  const event = closedEvent(WORKER_RETURNED, node, { workerId, childRunId, artifactId });
  return caused({ ...event, counts }, moment.runId, ended);
}
