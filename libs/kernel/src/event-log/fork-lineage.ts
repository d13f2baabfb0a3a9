import { eventIdOf, placeOfEventId, type ForkOrigin, type RunHeader } from '@palimpsest/contracts';
import { NotFoundError, SequenceConflictError } from '../errors/known-errors.js';
import { TerminalError } from '../errors/palimpsest-error.js';
import type { ForkRequest } from '../ports/event-log.js';

/** An ancestor's id → the last sequence (−1: none) up to which a fork's history is the ancestor's. */
export type ForkLineage = Readonly<Record<string, number>>;

/**
 * An event that a fork shares names its cause by the id it had in the run it was written in, or in an ancestor of
 * that. Where the fork shares that place too, the cause is the fork's own event there; elsewhere it is left alone.
 */
export function causationInFork(runId: string, lineage: ForkLineage, causationId: string): string {
  const cause = placeOfEventId(causationId);
  if (!cause || !Object.hasOwn(lineage, cause.runId)) return causationId;
  return cause.sequence <= (lineage[cause.runId] ?? -1) ? eventIdOf(runId, cause.sequence) : causationId;
}

/** The cut of its source's lineage at the fork point, and the source itself. */
export function lineageOfFork(source: ForkLineage, { runId, fromSequence }: ForkOrigin): ForkLineage {
  const lineage: Record<string, number> = { [runId]: fromSequence - 1 };
  for (const [ancestor, last] of Object.entries(source)) lineage[ancestor] = Math.min(last, fromSequence - 1);
  return lineage;
}

/** A fork starts at a place that its source has, or right after its head. */
export function checkForkPoint(head: number | undefined, { origin }: ForkRequest): void {
  const { runId, fromSequence } = origin;
  if (head === undefined) throw new NotFoundError('The run to fork', { runId });
  if (fromSequence >= 0 && fromSequence <= head + 1) return;
  throw new TerminalError('invalid_from_seq', 'The run has no such place to fork from.', {
    details: { runId, fromSequence, head },
  });
}

/** The run that stands under the fork's id: the same fork, made before, or somebody else's run. */
export function sameForkOrConflict(standing: RunHeader, request: ForkRequest): RunHeader {
  const { origin } = standing;
  const same =
    origin?.runId === request.origin.runId &&
    origin.fromSequence === request.origin.fromSequence &&
    origin.mode === request.origin.mode;
  if (same) return standing;
  throw new SequenceConflictError(request.runId, 'no-run', standing.head);
}
