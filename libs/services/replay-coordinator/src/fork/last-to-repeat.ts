import { NODE_CANCELLED, RUN_CANCELLED, RUN_CANCELLING, type RunHeader } from '@palimpsest/contracts';
import { readEvents, type EventLog } from '@palimpsest/kernel';
import { workflowStateOf } from '@palimpsest/workflow';
import { cancels } from '../domain/cancellation.js';

/**
 * Sequence of the last event that a replay repeats: of the source's last one as of the request. A cancellation came from
 * outside, and is no part of what the engine did: of an executed run that was cancelled it is the event before. Where
 * the replay begins inside the cancellation, that is shared, and repeated to its end.
 */
export async function lastToRepeat(eventLog: EventLog, source: RunHeader, fromSeq: number): Promise<number> {
  const state = workflowStateOf(source.state);
  if (!state?.cancelling && state?.ended !== 'cancelled') return source.head;
  const { tenantId, runId, head } = source;
  const types = [NODE_CANCELLED, RUN_CANCELLING, RUN_CANCELLED];
  for await (const event of readEvents(eventLog, { tenantId, runId, from: 0, to: head, types })) {
    if (cancels(event)) return fromSeq > event.sequence ? head : event.sequence - 1;
  }
  return head;
}
