import { factOf, requireFacts } from '../json/facts.js';
import { pathReader, type RecordedPaths } from '../paths/owned-paths.js';
import type { OpenWorkspace } from '../paths/workspace.js';
import { conflictsWithActive } from './active-writers.js';
import { isAtCap, isNestedTooDeep } from './bounds.js';
import { isolated, keptLocal } from './isolation.js';
import { hasAffinity, inherited, isResumable, resumed, type Bars } from './reuse.js';
import { decision, type RouteDecision } from './route-decision.js';
import { readUnit, type RouteUnit } from './route-unit.js';
import { isEligible, isRequested } from './team.js';

export type RouteOptions = {
  readonly workspace: OpenWorkspace;
  /** A dispatch with an invalid lineage inherits nothing either (contract §14, D4). */
  readonly barInheritance?: boolean;
  /** Where somebody keeps a record of who owns what, it counts instead of what the facts say of active writers. */
  readonly recorded?: RecordedPaths | undefined;
};

/**
 * How a unit of work gets its context (contract §4): the first row of §4.4 that applies decides. Throws a
 * `ContextRefusal` for owned paths, writers without any, and numbers out of their type.
 */
export function decideRoute(
  input: unknown,
  { workspace, barInheritance = false, recorded }: RouteOptions,
): RouteDecision {
  const facts = requireFacts(input);
  const unit = readUnit(facts, pathReader(factOf(facts, 'workspace_root'), workspace), recorded);
  if (unit.isWriter && conflictsWithActive(unit)) return decision('local', 'WRITER_OWNERSHIP_CONFLICT');
  if (isNestedTooDeep(facts)) return decision('local', 'NESTING_LIMIT');
  return keptLocal(facts) ?? isolated(facts) ?? reusedOrFresh(unit, barInheritance);
}

/** Rows 10 to 15. */
function reusedOrFresh(unit: RouteUnit, barInheritance: boolean): RouteDecision {
  const bars = { atCap: unit.isWriter && isAtCap(unit.facts), inheritance: barInheritance };
  return resumed(unit, bars) ?? inherited(unit, bars) ?? teamOrFresh(unit, bars);
}

/** Rows 14 and 15. */
function teamOrFresh({ facts, lineage, read }: RouteUnit, { atCap }: Bars): RouteDecision {
  const eligible = isEligible(facts, read);
  if (eligible && factOf(facts, 'capsule_sufficient') === false) {
    return decision('coordinated-team', 'TEAM_COORDINATION_REQUIRED');
  }
  const fallsBack =
    hasAffinity(facts) || (isRequested(facts) && !eligible) || (isResumable(lineage) && atCap);
  return decision('fresh-capsule', 'INDEPENDENT_CAPSULE', fallsBack && 'CAPABILITY_FALLBACK');
}
