import type { PoolClient } from 'pg';

export type EnvironmentKey = { readonly tenantId: string; readonly environment: string };

/** A row that is there is locked and left as it is: that is what `ON CONFLICT DO UPDATE` does before it looks at `WHERE`. */
const LOCK = `INSERT INTO lineage_registry.environments (tenant_id, environment, sequence) VALUES ($1, $2, -1)
ON CONFLICT (tenant_id, environment) DO UPDATE SET sequence = EXCLUDED.sequence WHERE false`;

const MOVE = `UPDATE lineage_registry.environments SET sequence = $3 WHERE tenant_id = $1 AND environment = $2`;

const REMOVE = `DELETE FROM lineage_registry.environments
WHERE tenant_id = $1 AND environment = $2 AND sequence = -1`;

/** Waits for its turn on the environment's rollouts and keeps it until the transaction ends: its only lock. */
export async function lockEnvironment(
  client: PoolClient,
  { tenantId, environment }: EnvironmentKey,
): Promise<void> {
  await client.query(LOCK, [tenantId, environment]);
}

export async function moveEnvironment(
  client: PoolClient,
  { tenantId, environment }: EnvironmentKey,
  sequence: number,
): Promise<void> {
  await client.query(MOVE, [tenantId, environment, sequence]);
}

/** The row of an environment in which nothing happened yet served as a lock only. */
export async function removeUnused(
  client: PoolClient,
  { tenantId, environment }: EnvironmentKey,
): Promise<void> {
  await client.query(REMOVE, [tenantId, environment]);
}
