import { isContaminated } from '@palimpsest/context-efficiency';
import type { Lineage } from './workgroup.js';

/** Roles of all whose context a lineage has: its own and those it inherited. */
export function rolesBehind({ record, inheritedRoles }: Lineage): readonly string[] {
  return [...new Set([record.role, ...inheritedRoles])];
}

/** Whether what a lineage knows is not for this role, by whatever chain it knows it (contract §4.4, row 11). */
export function isContaminatedFor(lineage: Lineage, role: string): boolean {
  return rolesBehind(lineage).some((behind) => isContaminated(behind, role));
}
