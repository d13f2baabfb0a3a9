import { factOf, factsOf, isTrue, isTruthy, type Facts } from '../json/facts.js';
import { decision, type RouteDecision } from './route-decision.js';

/** Row 8 of §4.4: what is done where the context already is. */
export function keptLocal(facts: Facts): RouteDecision | undefined {
  const cheaper = isTruthy(facts, 'trivial') || factOf(facts, 'coupling') === 'tight';
  const blocking = isTruthy(facts, 'blocking');
  if (!cheaper && !blocking) return undefined;
  return decision('local', cheaper && 'LOCAL_CHEAPER', blocking && 'BLOCKING');
}

/** Row 9 of §4.4: what must not see another's context. */
export function isolated(facts: Facts): RouteDecision | undefined {
  const independent = isTrue(facts, 'independent_reviewer');
  const sensitivity = factOf(facts, 'sensitivity');
  const unsafe = factOf(factsOf(facts, 'inheritance'), 'safe') === false;
  const sensitive = sensitivity === 'restricted' || sensitivity === 'isolated' || unsafe;
  if (!independent && !sensitive) return undefined;
  return decision(
    'fresh-capsule',
    'INDEPENDENT_CAPSULE',
    sensitive && 'SENSITIVITY_ISOLATION',
    independent && 'REVIEW_INDEPENDENCE',
  );
}
