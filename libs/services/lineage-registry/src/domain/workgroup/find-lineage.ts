import { NotFoundError } from '@palimpsest/kernel';
import type { Lineage, Workgroup } from './workgroup.js';
import { LineageEvictedError, LineageExistsError, StaleFenceError } from './workgroup.errors.js';

export function requireLineage({ lineages }: Workgroup, lineageId: string): Lineage {
  const lineage = lineages.get(lineageId);
  if (!lineage) throw new NotFoundError('The lineage', { lineageId });
  return lineage;
}

export function requireLive(workgroup: Workgroup, lineageId: string): Lineage {
  const lineage = requireLineage(workgroup, lineageId);
  if (lineage.status === 'evicted') throw new LineageEvictedError(lineage);
  return lineage;
}

/** Every write under a lineage is its holder's. */
export function requireHolder(workgroup: Workgroup, lineageId: string, fence: number | undefined): Lineage {
  const lineage = requireLineage(workgroup, lineageId);
  if (lineage.status !== 'held' || lineage.fence !== fence) throw new StaleFenceError(lineage);
  return lineage;
}

/** A parent's fence, where whoever hands work on shows it, is its holder's. */
export function requireParentFence(workgroup: Workgroup, parentId: string, fence: number | undefined): void {
  if (fence !== undefined) requireHolder(workgroup, parentId, fence);
}

/** Ids are given once, to those that left as well. */
export function requireUnknown({ lineages }: Workgroup, lineageId: string): void {
  if (lineages.has(lineageId)) throw new LineageExistsError(lineageId);
}
