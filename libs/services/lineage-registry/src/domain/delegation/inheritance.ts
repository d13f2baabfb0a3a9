import type { Facts } from '@palimpsest/context-efficiency';
import type { Delegate } from '@palimpsest/contracts/registry';
import { isContaminatedFor } from '../workgroup/context-behind.js';
import { isContaminatedReview } from '../workgroup/judge-lineage.js';
import type { Lineage } from '../workgroup/workgroup.js';
import { currentFacts } from './dispatch-request.js';
import type { Standing } from './standing.js';

/**
 * Whether the record allows what a caller may call safe (contract §4.1): that the unit begins with the context of whoever
 * delegates, and of the lineage that is named. Of nobody who is named nothing is on record, and it may not.
 */
export function isInheritanceOpen(standing: Standing, command: Delegate): boolean {
  const { workgroup, parent, lineage } = standing;
  const current = currentFacts(command, standing);
  const sources = [parent, lineage].filter((source) => source !== undefined);
  return (
    !workgroup.finalGate &&
    sources.length > 0 &&
    sources.every((source) => mayHandOn(source, command, current))
  );
}

/** As an inheritance would be refused otherwise, by what is known of the unit before it is registered. */
function mayHandOn(source: Lineage, { role, sensitivity }: Delegate, current: Facts): boolean {
  const { status, reconcileRequired, record } = source;
  if (status === 'evicted' || reconcileRequired || isContaminatedReview(source, current)) return false;
  return record.sensitivity === sensitivity && !isContaminatedFor(source, role);
}
