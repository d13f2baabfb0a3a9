import type { Lineage } from '../domain/workgroup/workgroup.js';

/** What `lineages.state` holds: all that has no column of its own. */
type LineageState = Omit<Lineage, 'lineageId' | 'status' | 'record'> & {
  readonly record: Omit<Lineage['record'], 'lease_expires_at'>;
};

export type LineageRow = {
  readonly id: string;
  readonly status: Lineage['status'];
  /** ISO 8601 with whatever precision and offset the database gives. */
  readonly lease: string | null;
  readonly state: LineageState;
};

/** A {@link LineageRow} as JSON, of a table named `alias`. */
export function lineageRowJson(alias: string): string {
  return `json_build_object('id', ${alias}.lineage_id, 'status', ${alias}.status,
    'lease', ${alias}.lease_expires_at, 'state', ${alias}.state)`;
}

export function lineageOf({ id, status, lease, state }: LineageRow): Lineage {
  const expiresAt = lease === null ? null : new Date(lease).toISOString();
  return { ...state, lineageId: id, status, record: { ...state.record, lease_expires_at: expiresAt } };
}

export function lineageRowOf({ lineageId, status, record, ...rest }: Lineage): LineageRow {
  const { lease_expires_at: lease, ...others } = record;
  return { id: lineageId, status, lease, state: { ...rest, record: others } };
}
