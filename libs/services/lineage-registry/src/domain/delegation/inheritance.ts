import type { Delegate } from '@palimpsest/contracts/registry';
import { isContaminatedFor } from '../workgroup/context-behind.js';
import type { Lineage } from '../workgroup/workgroup.js';
import type { Standing } from './standing.js';

type Unit = Pick<Delegate, 'role' | 'sensitivity'>;

/**
 * Whether the record allows what a caller may call safe (contract §4.1): that the unit begins with the context of whoever
 * delegates, and of the lineage that is named. Of nobody who is named nothing is on record, and it may not.
 */
export function isInheritanceOpen({ workgroup, parent, lineage }: Standing, unit: Unit): boolean {
  const sources = [parent, lineage].filter((source) => source !== undefined);
  return !workgroup.finalGate && sources.length > 0 && sources.every((source) => mayHandOn(source, unit));
}

/** As an inheritance would be refused otherwise, by what is known of the unit before it is registered. */
function mayHandOn(source: Lineage, { role, sensitivity }: Unit): boolean {
  const { status, reconcileRequired, record } = source;
  if (status === 'evicted' || reconcileRequired) return false;
  return record.sensitivity === sensitivity && !isContaminatedFor(source, role);
}
