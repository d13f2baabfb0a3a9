import {
  liesInScope,
  scopeOf,
  type CanonicalPath,
  type Facts,
  type LineageRecord,
} from '@palimpsest/context-efficiency';
import type { ContextMode, DelegationView } from '@palimpsest/contracts/registry';
import { NotFoundError } from '@palimpsest/kernel';
import { canonicalPath } from './views.js';
import { isLive } from './expire-leases.js';
import { takesContextOver, type Workgroup } from './workgroup.js';
import { DelegationMismatchError } from './workgroup.errors.js';
import { readPaths } from './writer-scope.js';

/** A command with the delegation that it names, where the workgroup has recorded one. */
export type Delegated<Command> = Command & { readonly delegation?: DelegationView | undefined };

type Naming = Delegated<{ readonly delegationId?: string | undefined }>;

/** `not_found` where the command names a delegation that the workgroup has not recorded. */
export function namedDelegation({ delegationId, delegation }: Naming): DelegationView | undefined {
  if (delegationId === undefined) return undefined;
  if (!delegation) throw new NotFoundError('The delegation', { delegationId });
  return delegation;
}

/** What a record has of the unit, where its caller leaves that out. */
export function delegatedUnit(delegation: DelegationView | undefined): Facts {
  return delegation ? { role: delegation.role, sensitivity: delegation.sensitivity } : {};
}

/** The mode in which a worker begins that takes nothing over: the one selected, unless that is to take something over. */
export function freshMode(delegation: DelegationView | undefined): { readonly mode?: ContextMode } {
  if (!delegation || takesContextOver(delegation.selectedMode)) return {};
  return { mode: delegation.selectedMode };
}

/** Those that are asked for; else those that were delegated. */
export function unitPaths(
  ownedFiles: readonly string[] | undefined,
  delegation: DelegationView | undefined,
): readonly CanonicalPath[] {
  return ownedFiles || !delegation ? readPaths(ownedFiles) : delegation.ownedPaths.map(canonicalPath);
}

type Unit = {
  readonly workgroup: Workgroup;
  readonly record: LineageRecord;
  readonly paths: readonly CanonicalPath[];
  /** Where context is taken over: how. */
  readonly takenOver?: ContextMode;
};

/**
 * The unit is the one that was delegated, or owns less, and nobody else who is held or idle is. `delegation_mismatch` names in
 * what it is not.
 */
export function requireDelegated(delegation: DelegationView | undefined, unit: Unit): void {
  if (!delegation) return;
  const { workgroup, record, paths, takenOver } = unit;
  const { delegationId } = delegation;
  const scope = scopeOf(delegation.ownedPaths.map(canonicalPath));
  const isSame: Readonly<Record<string, boolean>> = {
    delegationId: !isInUse(workgroup, delegationId),
    role: record.role === delegation.role,
    sensitivity: record.sensitivity === delegation.sensitivity,
    ownedFiles: paths.every((path) => liesInScope(scope, path)),
    mode: takenOver === undefined || takenOver === delegation.selectedMode,
    parentLineageId: isUnderParent(delegation, unit),
    independentReviewer: takenOver === undefined || !delegation.independentReviewer,
  };
  const fields = Object.keys(isSame).filter((field) => !isSame[field]);
  if (fields.length > 0) throw new DelegationMismatchError(delegationId, fields);
}

function isInUse({ lineages }: Workgroup, delegationId: string): boolean {
  return [...lineages.values()].some((lineage) => isLive(lineage) && lineage.delegationId === delegationId);
}

/** A fresh worker may begin under nobody; context is taken over from whoever delegated. */
function isUnderParent({ parentLineageId }: DelegationView, { record, takenOver }: Unit): boolean {
  if (parentLineageId === undefined || record.parent_lineage_id === parentLineageId) return true;
  return takenOver === undefined && record.parent_lineage_id === null;
}
