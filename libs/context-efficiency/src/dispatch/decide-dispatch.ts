import { refuse } from '../answers/context-refusal.js';
import { factOf, isFacts, isUnset, requireFacts, type Facts } from '../json/facts.js';
import { evaluateLineage, type LineageVerdict } from '../lineage/evaluate-lineage.js';
import type { RecordedPaths } from '../paths/owned-paths.js';
import type { OpenWorkspace } from '../paths/workspace.js';
import { decideResult, type ResultPolicy } from '../result-policy/decide-result.js';
import { selectRolloutOf, type RolloutSelection } from '../rollout/select-rollout.js';
import { decideRoute } from '../route/decide-route.js';
import type { RouteDecision } from '../route/route-decision.js';
import { routedFacts } from './routed-facts.js';

export type DispatchDecision = {
  readonly routing: RouteDecision;
  readonly rollout: RolloutSelection;
  readonly lineage: LineageVerdict | null;
  readonly result_policy: ResultPolicy | null;
};

export type DispatchOptions = {
  readonly workspace: OpenWorkspace;
  /** Milliseconds of Unix time, for a lineage without a `now`. */
  readonly clock: number;
  readonly recorded?: RecordedPaths | undefined;
  /** Somebody works as the lineage: hot or not, nobody else resumes it. Its state stays what it is. */
  readonly isHeld?: boolean;
};

/**
 * Lineage, route, rollout and result in one answer (contract §11), in this order; the first that refuses does. What
 * the evaluated lineage says overwrites what the caller says of it.
 */
export function decideDispatch(request: Facts, options: DispatchOptions): DispatchDecision {
  const { workspace, clock, recorded, isHeld = false } = options;
  const routing = unwrapped(factOf(request, 'routing'));
  const evidence = evidenceOf(request);
  if (evidence) refuseContradiction(routing, evidence.current);
  const lineage = evidence && evaluateLineage(evidence.request, clock);
  const facts = evidence && lineage ? routedFacts(routing, evidence, { lineage, isHeld }) : routing;
  const barInheritance = lineage?.state === 'INVALID';
  const routed = decideRoute(facts, { workspace, barInheritance, recorded });
  return {
    routing: routed,
    rollout: selectRolloutOf(routed.mode, unwrapped(factOf(request, 'rollout'))),
    lineage,
    result_policy: resultOf(factOf(request, 'result_policy')),
  };
}

/** Each part may stand in an `input` of its own. */
function unwrapped(part: unknown): Facts {
  const facts = requireFacts(part);
  const input = factOf(facts, 'input');
  return isUnset(input) ? facts : requireFacts(input);
}

/** What a lineage is judged by. */
export type Evidence = { readonly request: Facts; readonly current: Facts };

function evidenceOf(request: Facts): Evidence | null {
  const lineage = factOf(request, 'lineage');
  if (isUnset(lineage)) return null;
  const evidence = isFacts(lineage) ? lineage : refuse('INVALID_REQUEST');
  return { request: evidence, current: requireFacts(factOf(evidence, 'current')) };
}

/** Where both state a fact, null included, they have to agree. */
function refuseContradiction(routing: Facts, current: Facts): void {
  for (const name of ['role', 'sensitivity']) {
    const isStatedTwice = Object.hasOwn(routing, name) && Object.hasOwn(current, name);
    if (isStatedTwice && factOf(routing, name) !== factOf(current, name)) refuse('DISPATCH_FACT_MISMATCH');
  }
}

function resultOf(part: unknown): ResultPolicy | null {
  return isUnset(part) ? null : decideResult(unwrapped(part));
}
