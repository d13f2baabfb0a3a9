import type { Pool, PoolClient } from 'pg';
import { BESIDE_ERASURE } from './erasure-lock.js';

const LINK_FORK = `
WITH ${BESIDE_ERASURE}
INSERT INTO artifact_store.run_sources (tenant_id, run_id, source_run_id)
SELECT $1, $2, $3 FROM beside_erasure
ON CONFLICT DO NOTHING`;

export type ForkLink = {
  readonly tenantId: string;
  readonly forkRunId: string;
  readonly sourceRunId: string;
};

/** A user of the source's content that no erasure misses: it comes before the erasure, or after. */
export async function linkFork(
  client: Pool | PoolClient,
  { tenantId, forkRunId, sourceRunId }: ForkLink,
): Promise<void> {
  await client.query(LINK_FORK, [tenantId, forkRunId, sourceRunId]);
}
