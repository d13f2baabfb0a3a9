import type { Invalidation, LineageRecord } from '@palimpsest/context-efficiency';
import type { LineageGrant, RegisterLineage } from '@palimpsest/contracts/registry';
import { admit, depthUnder } from './admit-lineage.js';
import { inOpenWorkgroup } from './expire-leases.js';
import { requireLive, requireParentFence, requireUnknown } from './find-lineage.js';
import { isSensitive } from './isolation.js';
import { newRecord } from './new-record.js';
import {
  delegatedUnit,
  freshMode,
  namedDelegation,
  requireDelegated,
  unitPaths,
  type Delegated,
} from './under-delegation.js';
import { takesContextOver, type Lineage, type Workgroup } from './workgroup.js';
import { FinalGateError, InheritanceRefusedError, unfitting } from './workgroup.errors.js';
import { requireFreeScope, writerScope } from './writer-scope.js';

/** A worker that goes on with nobody's context. Nobody registers into a workgroup that nobody coordinates. */
export const decideRegister = inOpenWorkgroup<Delegated<RegisterLineage>, LineageGrant>(
  (workgroup, command, now) => {
    if (workgroup.finalGate) throw new FinalGateError(workgroup);
    const { leaseMs, isWriter = false, ownedFiles } = command;
    const delegation = namedDelegation(command);
    const unit = delegatedUnit(delegation);
    const granted = freshMode(delegation);
    const request = { workgroup, now, leaseMs, unit, granted };
    const { record, differences } = newRecord(command.record, request);
    // These modes are granted by resuming and inheriting.
    if (takesContextOver(record.mode)) throw unfitting('record.mode');
    const parent = parentOf(workgroup, record, command);
    requireUnknown(workgroup, record.lineage_id);
    const paths = unitPaths(ownedFiles, delegation);
    requireDelegated(delegation, { workgroup, record, paths });
    const depth = depthUnder(parent);
    if (parent) requireKept(parent, record);
    const scope = writerScope({ declared: isWriter, role: record.role, paths });
    requireFreeScope(workgroup, scope);
    return admit(
      { workgroup, now },
      {
        record,
        scope,
        parent,
        depth,
        inherits: false,
        delegation,
        // It takes over less than was selected.
        differences: delegation && granted.mode === undefined ? [...differences, 'mode'] : differences,
      },
    );
  },
);

function parentOf(
  workgroup: Workgroup,
  { parent_lineage_id: parentId }: LineageRecord,
  { parentFence }: RegisterLineage,
): Lineage | null {
  if (parentId === null && parentFence !== undefined) throw unfitting('parentFence');
  if (parentId === null) return null;
  requireParentFence(workgroup, parentId, parentFence);
  return requireLive(workgroup, parentId);
}

/** A child may do what its parent may, and what is to stay apart stays so below it. */
function requireKept(parent: Lineage, child: LineageRecord): void {
  const { permissions_hash, sensitivity } = parent.record;
  const isApart = isSensitive(parent.record) && sensitivity !== child.sensitivity;
  const invalidations: readonly Invalidation[] = [
    ...(permissions_hash === child.permissions_hash ? [] : (['PERMISSIONS_MISMATCH'] as const)),
    ...(isApart ? (['SENSITIVITY_MISMATCH'] as const) : []),
  ];
  if (invalidations.length > 0)
    throw new InheritanceRefusedError(parent, { state: 'INVALID', invalidations });
}
