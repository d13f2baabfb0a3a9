import {
  evaluateLineage,
  factOf,
  isTruthy,
  type Facts,
  type Invalidation,
  type LineageVerdict,
} from '@palimpsest/context-efficiency';
import type { EvictionReason } from '@palimpsest/contracts/registry';
import { rolesBehind } from './context-behind.js';
import type { Moment } from './deciding.js';
import type { Lineage, Workgroup } from './workgroup.js';

export type Judgement = {
  readonly verdict: LineageVerdict;
  /** Facts that the caller states otherwise than they are recorded, as `current.<name>`. */
  readonly differences: readonly string[];
};

/**
 * The contract's verdict (§5.3) on the recorded lineage at the database's clock. Of the current facts the workgroup, its
 * phase, its final gate, and that a reconciliation is due are the registry's.
 */
export function judge(lineage: Lineage, current: Facts, { workgroup, now }: Moment): Judgement {
  const recorded = {
    workgroup_id: workgroup.workgroupId,
    phase: workgroup.phase,
    ...(workgroup.finalGate && { final_gate: true }),
    ...(lineage.reconcileRequired && { reconcile_required: true }),
  };
  const request = { lineage: lineage.record, current: { ...current, ...recorded } };
  return {
    verdict: behindOthers(evaluateLineage(request, now), lineage, current),
    differences: differingFields(current, recorded).map((name) => `current.${name}`),
  };
}

/** Who reviews independently takes over nothing that a builder thought, by whatever chain the lineage knows it. */
export function isContaminatedReview(lineage: Lineage, current: Facts): boolean {
  return isTruthy(current, 'independent_reviewer') && rolesBehind(lineage).includes('builder');
}

/** The contract knows the role of a lineage, not of those whose context it has: they contaminate it as well. */
export function behindOthers(verdict: LineageVerdict, lineage: Lineage, current: Facts): LineageVerdict {
  const { inheritedRoles } = lineage;
  if (!inheritedRoles.includes('builder') || !isContaminatedReview(lineage, current)) return verdict;
  const others = verdict.state === 'INVALID' ? verdict.invalidations : [];
  return { state: 'INVALID', invalidations: [...new Set<Invalidation>([CONTAMINATION, ...others])] };
}

/** Of what is recorded, names under which a caller says something else. */
export function differingFields(stated: Facts, recorded: Facts): readonly string[] {
  return Object.keys(recorded).filter(
    (name) => Object.hasOwn(stated, name) && factOf(stated, name) !== recorded[name],
  );
}

export const CONTAMINATION = 'REVIEW_LINEAGE_CONTAMINATION' as const satisfies Invalidation;

/** These say that somebody else asked, or not what was needed: nothing of the lineage. */
const OF_THE_CALLER: ReadonlySet<Invalidation> = new Set([
  CONTAMINATION,
  'PLATFORM_MISMATCH',
  'WORKGROUP_MISMATCH',
  'ROLE_MISMATCH',
  'UNKNOWN_PROVENANCE',
]);

/** Why a lineage with this verdict has nothing to wait for; null where it may go on. A gate counts where it is recorded. */
export function evictionAfter(
  { state, invalidations }: LineageVerdict,
  { finalGate }: Workgroup,
): EvictionReason | null {
  // What is over by the clock has ended before; this one's scope is complete.
  if (state === 'COLD_VALID') return 'NO_LIKELY_CONTINUATION';
  if (state !== 'INVALID' || invalidations.some((code) => OF_THE_CALLER.has(code))) return null;
  if (invalidations.includes('SENSITIVITY_MISMATCH')) return 'SENSITIVITY_TRANSITION';
  if (!invalidations.includes('FINAL_GATE')) return 'INCOMPATIBLE';
  return finalGate ? 'FINAL_GATE' : null;
}
