import type { ErrorCode, JsonValue, RunOverlay } from '@palimpsest/contracts';
import { canonicalJson, SequenceConflictError } from '@palimpsest/kernel';

/** A fork that was allowed: all that is needed to make it, and to go on making it after a crash. */
export type ForkJob = {
  readonly tenantId: string;
  readonly forkRunId: string;
  readonly sourceRunId: string;
  readonly mode: 'replay' | 'branch';
  readonly fromSeq: number;
  /** The source's events `fromSeq..target` are re-emitted; absent where the fork shares all it starts with. */
  readonly target?: number;
  /** Of a branch: the settings it runs on under, recorded as its first own event. */
  readonly overlay?: RunOverlay;
  /** SHA-256 of the overlay as it was asked for, before it was resolved. */
  readonly overlayDigest?: string;
  /** Why it can never be made: of a job that was given up. */
  readonly failedCode?: ErrorCode;
};

type ForkSource = {
  readonly fromSeq: number;
  readonly last: number;
  readonly overlay?: RunOverlay | undefined;
};

/**
 * A replay re-emits up to the source's last event as of the request. A branch shares its prefix; one from 0
 * has none, and starts as its source did; with an overlay its start and that are written together, and nothing is left to
 * re-emit.
 */
export function targetOf(
  mode: ForkJob['mode'],
  { fromSeq, last, overlay }: ForkSource,
): { readonly target?: number } {
  if (mode === 'replay') return { target: last };
  return fromSeq === 0 && !overlay ? { target: 0 } : {};
}

/** Where the overlay of a branch stands: it comes first, but for the start of a run that shares nothing. */
export function placeOfOverlay({ fromSeq }: Pick<ForkJob, 'fromSeq'>): number {
  return Math.max(1, fromSeq);
}

/** The id of a fork names one fork: the same id with another source, mode, place or overlay is refused. */
export function requireSameFork(asked: ForkJob, recorded: ForkJob): ForkJob {
  const same =
    asked.sourceRunId === recorded.sourceRunId &&
    asked.mode === recorded.mode &&
    asked.fromSeq === recorded.fromSeq &&
    hasSameOverlay(asked, recorded);
  if (!same) throw new SequenceConflictError(asked.forkRunId, asked.fromSeq, recorded.fromSeq);
  return recorded;
}

/** What was asked tells, where it is known: the host's limits and defaults may have changed since it was resolved. */
function hasSameOverlay(asked: ForkJob, recorded: ForkJob): boolean {
  if (asked.overlayDigest !== undefined && recorded.overlayDigest !== undefined)
    return asked.overlayDigest === recorded.overlayDigest;
  return textOf(asked.overlay) === textOf(recorded.overlay);
}

function textOf(overlay: RunOverlay | undefined): string {
  return canonicalJson((overlay ?? null) as JsonValue);
}
