import type { LineageGrant } from '@palimpsest/contracts/registry';
import { requireLineage } from './find-lineage.js';
import { viewOf } from './views.js';
import type { Workgroup } from './workgroup.js';

/** The right that a lineage's holder has once the events are recorded. */
export function granted(
  after: Workgroup,
  lineageId: string,
  differences: readonly string[] = [],
): LineageGrant {
  const lineage = requireLineage(after, lineageId);
  return {
    lineage: viewOf(lineage, after.workgroupId),
    fence: lineage.fence,
    expiresAt: lineage.record.lease_expires_at ?? '',
    differences: [...differences],
  };
}
