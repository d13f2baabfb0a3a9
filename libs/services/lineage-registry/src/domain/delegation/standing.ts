import type { CanonicalPath } from '@palimpsest/context-efficiency';
import type { Delegate } from '@palimpsest/contracts/registry';
import { requireLineage, requireParentFence } from '../workgroup/find-lineage.js';
import { MOST_DEPTH, MOST_INHERITED_WRITERS, type Lineage, type Workgroup } from '../workgroup/workgroup.js';
import { unfitting } from '../workgroup/workgroup.errors.js';
import { tookContextOver, writersAtWork } from '../workgroup/writer-scope.js';

/** What the registry knows of a unit that is to be delegated, whatever the caller says. */
export type Standing = {
  readonly workgroup: Workgroup;
  /** Paths of each writer at work. */
  readonly activeWriters: readonly (readonly CanonicalPath[])[];
  /** Writers at work with context taken over. */
  readonly inheritedWriters: number;
  readonly mostInheritedWriters: number;
  /** Who delegates, where a lineage does. */
  readonly parent: Lineage | undefined;
  /** Of whoever delegates: 0 where no lineage does. */
  readonly depth: number;
  readonly mostDepth: number;
  /** The lineage that might go on, where one is named. */
  readonly lineage: Lineage | undefined;
};

/**
 * Leases that are over have ended before this is asked. `not_found` where a named lineage is not the workgroup's;
 * `stale_fence` where a parent's fence is given and does not hold it.
 */
export function standingOf(
  workgroup: Workgroup,
  { lineageId, ...handing }: Pick<Delegate, 'lineageId' | 'parentLineageId' | 'parentFence'>,
): Standing {
  const writers = writersAtWork(workgroup);
  const parent = parentOf(workgroup, handing);
  return {
    workgroup,
    activeWriters: writers.map(({ ownedPaths }) => ownedPaths),
    inheritedWriters: writers.filter(tookContextOver).length,
    mostInheritedWriters: MOST_INHERITED_WRITERS,
    parent,
    depth: parent?.depth ?? 0,
    mostDepth: MOST_DEPTH,
    lineage: lineageId === undefined ? undefined : requireLineage(workgroup, lineageId),
  };
}

function parentOf(
  workgroup: Workgroup,
  { parentLineageId, parentFence }: Pick<Delegate, 'parentLineageId' | 'parentFence'>,
): Lineage | undefined {
  if (parentLineageId === undefined && parentFence !== undefined) throw unfitting('parentFence');
  if (parentLineageId === undefined) return undefined;
  requireParentFence(workgroup, parentLineageId, parentFence);
  return requireLineage(workgroup, parentLineageId);
}
