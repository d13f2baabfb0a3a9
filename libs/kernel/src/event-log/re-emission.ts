import { eventIdOf, placeOfEventId, RE_EMIT_EVENTS } from '@palimpsest/contracts';
import { NotFoundError, SequenceConflictError, ValidationError } from '../errors/known-errors.js';
import type { ReEmitRequest } from '../ports/event-log.js';

/** The cause of a re-emitted event, as its source shows it, named in the log that re-emits it. */
export function causeInFork(causationId: string, sourceRunId: string, forkRunId: string): string {
  const cause = placeOfEventId(causationId);
  return cause?.runId === sourceRunId ? eventIdOf(forkRunId, cause.sequence) : causationId;
}

/** The rules of a re-emission that do not depend on what is in the log. */
export function checkReEmissionRange({ runId, fromRunId, fromSequence, toSequence }: ReEmitRequest): void {
  const size = toSequence - fromSequence + 1;
  const isRange = Number.isSafeInteger(fromSequence) && fromSequence >= 0 && Number.isSafeInteger(size);
  if (!isRange || size < 1 || size > RE_EMIT_EVENTS)
    throw new ValidationError(`A re-emission holds 1 to ${RE_EMIT_EVENTS} events.`, { field: 'toSequence' });
  if (runId === fromRunId)
    throw new ValidationError('A run does not re-emit itself.', { field: 'fromRunId' });
}

/** Heads as of now; undefined: there is no such run. */
export type Heads = { readonly own: number | undefined; readonly source: number | undefined };

/** Whether the run stands where its next event is the range's first, and the source has all of it. */
export function checkReEmissionHeads(request: ReEmitRequest, { own, source }: Heads): void {
  const { runId, fromRunId, fromSequence, toSequence } = request;
  if (own === undefined || own !== fromSequence - 1)
    throw new SequenceConflictError(runId, fromSequence - 1, own ?? -1);
  if (source === undefined || source < toSequence)
    throw new NotFoundError('The events to re-emit', { runId: fromRunId, toSequence });
}
