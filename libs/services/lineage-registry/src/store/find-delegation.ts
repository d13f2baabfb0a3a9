import type { DelegationView } from '@palimpsest/contracts/registry';
import type { Pool } from 'pg';
import { delegationView, type DelegationRecorded } from '../domain/delegation/delegation-view.js';
import { streamOfWorkgroup } from './stream-names.js';

/** A command that comes again after its answer was forgotten records its delegation again, under the same id. */
const FIND = `
SELECT sequence, payload, recorded_at FROM lineage_registry.events
WHERE tenant_id = $1 AND stream = $2 AND type = 'palimpsest.delegation.recorded' AND payload->>'delegationId' = $3
ORDER BY sequence DESC LIMIT 1`;

type Row = {
  readonly sequence: number;
  readonly payload: DelegationRecorded['payload'];
  readonly recorded_at: Date;
};

export async function findDelegation(
  pool: Pool,
  tenantId: string,
  workgroupId: string,
  delegationId: string,
): Promise<DelegationView | undefined> {
  const { rows } = await pool.query<Row>(FIND, [tenantId, streamOfWorkgroup(workgroupId), delegationId]);
  const [row] = rows;
  if (!row) return undefined;
  const { sequence, payload, recorded_at: recordedAt } = row;
  const event = { type: 'palimpsest.delegation.recorded', payload } as const;
  return delegationView(workgroupId, event, { sequence, recordedAt: recordedAt.toISOString() });
}
