import type { PoolClient } from 'pg';
import type { RolloutEvent } from '../domain/rollout/rollout-events.js';
import type { RecordedOf, RolloutEventQuery } from './rollout-store.js';
import { streamOfRollouts } from './stream-names.js';

const NEWEST = `SELECT sequence, type, payload, recorded_at AS "recordedAt" FROM lineage_registry.events
WHERE tenant_id = $1 AND stream = $2 AND type = $3 AND payload->>'family' = $4
ORDER BY sequence DESC LIMIT $5`;

type Row = {
  readonly sequence: number;
  readonly type: string;
  readonly payload: object;
  readonly recordedAt: Date;
};

/** Walks the environment's stream from its end: it is as long as what operators and promotions did there. */
export async function readRolloutEvents<Type extends RolloutEvent['type']>(
  client: Pick<PoolClient, 'query'>,
  { tenantId, environment, type, family, limit }: RolloutEventQuery<Type>,
): Promise<readonly RecordedOf<Type>[]> {
  const values = [tenantId, streamOfRollouts(environment), type, family, limit];
  const { rows } = await client.query<Row>(NEWEST, values);
  const events = rows.reverse().map((row) => ({ ...row, recordedAt: row.recordedAt.toISOString() }));
  // The statement reads events of this type only, and each has the payload that was appended with it.
  return events as unknown as readonly RecordedOf<Type>[];
}
