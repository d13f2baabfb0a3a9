import { NODE_CANCELLED, RUN_CANCELLED, RUN_CANCELLING, type RecordedEvent } from '@palimpsest/contracts';

/** Whether an event is part of a run's cancellation. Nodes are cancelled also by a run that fails: that is the engine's. */
export function cancels({ type, payload }: Pick<RecordedEvent, 'type' | 'payload'>): boolean {
  if (type === NODE_CANCELLED) return payload['reason'] === 'run-cancelled';
  return type === RUN_CANCELLING || type === RUN_CANCELLED;
}
