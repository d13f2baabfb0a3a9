import { factOf, factsOf, isTrue, NO_FACTS, isFacts, type Facts } from '../json/facts.js';
import type { LineageVerdict } from '../lineage/evaluate-lineage.js';

/**
 * What the router sees where a lineage was evaluated (contract §11, 5): role and sensitivity as they are now, and a
 * lineage that is compatible and resumable exactly where it is hot, whatever the caller said of it; one that is held is hot for
 * whoever holds it.
 */
export function routedFacts(
  routing: Facts,
  evidence: { readonly request: Facts; readonly current: Facts },
  { lineage: { state }, isHeld }: { readonly lineage: LineageVerdict; readonly isHeld: boolean },
): Facts {
  const { request, current } = evidence;
  const isHot = state === 'HOT';
  const known = factOf(request, 'lineage');
  const record = isFacts(known) ? known : NO_FACTS;
  return {
    ...routing,
    role: factOf(current, 'role') ?? factOf(routing, 'role'),
    sensitivity: factOf(current, 'sensitivity') ?? factOf(routing, 'sensitivity'),
    independent_reviewer: isTrue(routing, 'independent_reviewer') || isTrue(current, 'independent_reviewer'),
    lineage: {
      ...factsOf(routing, 'lineage'),
      lineage_id: factOf(record, 'lineage_id') ?? null,
      role: factOf(record, 'role') ?? null,
      compatible: isHot,
      resumable: isHot && !isHeld,
    },
  };
}
