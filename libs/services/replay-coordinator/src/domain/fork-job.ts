import { SequenceConflictError } from '@palimpsest/kernel';

/** A fork that was allowed: all that is needed to make it, and to go on making it after a crash. */
export type ForkJob = {
  readonly tenantId: string;
  readonly forkRunId: string;
  readonly sourceRunId: string;
  readonly mode: 'replay' | 'branch';
  readonly fromSeq: number;
  /** The source's events `fromSeq..target` are re-emitted; absent where the fork shares all it starts with. */
  readonly target?: number;
};

/**
 * A replay re-emits up to the source's last event as of the request. A branch shares its prefix; one from 0
 * has none, and starts as its source did.
 */
export function targetOf(mode: ForkJob['mode'], fromSeq: number, last: number): { readonly target?: number } {
  if (mode === 'replay') return { target: last };
  return fromSeq === 0 ? { target: 0 } : {};
}

/** The id of a fork names one fork: the same id with another source, mode or place is refused. */
export function requireSameFork(asked: ForkJob, recorded: ForkJob): ForkJob {
  const same =
    asked.sourceRunId === recorded.sourceRunId &&
    asked.mode === recorded.mode &&
    asked.fromSeq === recorded.fromSeq;
  if (!same) throw new SequenceConflictError(asked.forkRunId, asked.fromSeq, recorded.fromSeq);
  return recorded;
}
