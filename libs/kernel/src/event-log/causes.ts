import { placeOfEventId } from '@palimpsest/contracts';

type Caused = { readonly sequence: number; readonly causationId?: string | undefined };

/**
 * False where an event names as its cause one of its own log that is not before it. `runIds` are the log's: the run and
 * the ancestors that it shares events with. Sequences are dense, so what is before it is there. Causes in logs of others
 * (a parent's, a child's) are not looked at.
 */
export function isCausedEarlier(runIds: ReadonlySet<string>, { sequence, causationId }: Caused): boolean {
  const cause = causationId === undefined ? undefined : placeOfEventId(causationId);
  return !cause || !runIds.has(cause.runId) || cause.sequence < sequence;
}
