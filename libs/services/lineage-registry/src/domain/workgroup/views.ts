import type { CanonicalPath } from '@palimpsest/context-efficiency';
import type { LineageView, OwnedPaths, WorkgroupView } from '@palimpsest/contracts/registry';
import { foldAt, type Moment } from './deciding.js';
import { expiredLeases, isOver } from './expire-leases.js';
import type { Lineage, Workgroup } from './workgroup.js';

/** As it is at a time, whether or not anybody has recorded yet what has expired. The sequence is the recorded one. */
export function asOf(moment: Moment): Workgroup {
  const { workgroup, now } = moment;
  return { ...foldAt(moment, expiredLeases(workgroup, now)), sequence: workgroup.sequence };
}

/** The one lineage of a workgroup's as it is at a time. */
export function lineageAsOf(lineage: Lineage, now: number): Lineage {
  const isExpired = lineage.status !== 'evicted' && isOver(lineage.record.lease_expires_at, now);
  if (!isExpired) return lineage;
  const record = { ...lineage.record, lease_expires_at: null };
  return { ...lineage, record, status: 'evicted', eviction: 'LEASE_EXPIRED' };
}

export function viewOf(lineage: Lineage, workgroupId: string): LineageView {
  const { lineageId, status, isWriter, fence, grant, depth, reconcileRequired, eviction, record } = lineage;
  const expiresAt = status === 'held' ? record.lease_expires_at : null;
  return {
    lineageId,
    workgroupId,
    status,
    isWriter,
    ownedPaths: lineage.ownedPaths.map(shownPath),
    ...(expiresAt !== null && { lease: { fence, expiresAt } }),
    grant,
    depth,
    reconcileRequired,
    ...(eviction && { eviction }),
    record: { ...record },
  };
}

/** By id, which stays whatever becomes of a lineage: a page goes on behind one. */
export function lineageViews({ workgroupId, lineages }: Workgroup): readonly LineageView[] {
  return [...lineages.values()].sort(byId).map((lineage) => viewOf(lineage, workgroupId));
}

export function workgroupView({ workgroup, now }: Moment): WorkgroupView {
  const { workgroupId, sequence, phase, seat, approvals } = workgroup;
  const lineages = [...workgroup.lineages.values()];
  const count = (wanted: Lineage['status']): number =>
    lineages.filter(({ status }) => status === wanted).length;
  return {
    workgroupId,
    sequence,
    phase,
    ...(seat && !isOver(seat.expiresAt, now) && { coordinator: seat }),
    approvals: [...approvals],
    lineages: { held: count('held'), idle: count('idle') },
  };
}

/** Of the writers at work, by path: no two of them own the same. */
export function ownedPathsOf({ lineages }: Workgroup): OwnedPaths['paths'] {
  const holders = [...lineages.values()].filter(({ status, isWriter }) => status === 'held' && isWriter);
  const paths = holders.flatMap(({ lineageId, ownedPaths, fence, record }) =>
    ownedPaths.map((path) => ({
      path: shownPath(path),
      lineageId,
      role: record.role,
      phase: record.phase,
      fence,
      expiresAt: record.lease_expires_at ?? '',
    })),
  );
  return paths.sort((one, other) => compare(one.path, other.path));
}

/** The root's canonical form is no text that could be asked for. */
export function shownPath(path: string): string {
  return path === '' ? '.' : path;
}

/** What {@link shownPath} shows. */
export function canonicalPath(shown: string): CanonicalPath {
  return shown === '.' ? '' : shown;
}

function byId(one: Lineage, other: Lineage): number {
  return compare(one.lineageId, other.lineageId);
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
