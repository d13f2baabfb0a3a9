import { factOf, factsOf, isTrue, isTruthy, type Facts } from '../json/facts.js';
import { decision, type RouteDecision } from './route-decision.js';
import type { RouteUnit } from './route-unit.js';

/** What bars the reuse of another's context, beside the facts themselves. */
export type Bars = { readonly atCap: boolean; readonly inheritance: boolean };

/** A lineage that could be resumed, whoever asks. */
export function isResumable(lineage: Facts): boolean {
  return isTrue(lineage, 'compatible') && isTrue(lineage, 'resumable');
}

/** A reviewer takes over nothing that a builder thought, and nobody what is known to be contaminated (§4.4, row 11). */
export function isContaminated(lineageRole: unknown, role: string): boolean {
  return lineageRole === 'builder-contaminated' || (role === 'reviewer' && lineageRole === 'builder');
}

/** Row 11 of §4.4. */
export function resumed({ lineage, role }: RouteUnit, bars: Bars): RouteDecision | undefined {
  const contaminated = isContaminated(factOf(lineage, 'role'), role);
  if (!isResumable(lineage) || bars.atCap || contaminated) return undefined;
  return decision('resume', 'RESUME_COMPATIBLE');
}

export function hasAffinity(facts: Facts): boolean {
  return factOf(factsOf(facts, 'inheritance'), 'affinity') === 'high';
}

/** Rows 12 and 13 of §4.4: as little as suffices, by a way that exists. */
export function inherited({ facts }: RouteUnit, bars: Bars): RouteDecision | undefined {
  const inheritance = factsOf(facts, 'inheritance');
  const isAllowed = isTrue(inheritance, 'safe') && isTrue(inheritance, 'within_budget');
  if (!hasAffinity(facts) || !isAllowed || bars.atCap || bars.inheritance) return undefined;
  if (isTruthy(inheritance, 'recent_sufficient') && isTruthy(inheritance, 'recent_supported')) {
    return decision('inherit-recent', 'BOUNDED_RECENT_CONTEXT');
  }
  return isTruthy(inheritance, 'full_supported')
    ? decision('inherit-full', 'HIGH_CONTEXT_AFFINITY')
    : undefined;
}
