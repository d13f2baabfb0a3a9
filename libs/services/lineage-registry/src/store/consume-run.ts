import type { PoolClient } from 'pg';
import type { ConsumedRun } from '../domain/rollout/rollout-events.js';

const CONSUME = `INSERT INTO lineage_registry.consumed_runs
  (tenant_id, measurement_run_id, environment, family, consumed_at, evidence_artifact_id)
VALUES ($1, $2, $3, $4, to_timestamp($5::float8 / 1000), $6) ON CONFLICT DO NOTHING`;

export type Consumption = {
  readonly tenantId: string;
  readonly environment: string;
  readonly run: ConsumedRun;
  /** The database's clock at which the promotion was decided, in milliseconds. */
  readonly now: number;
};

/**
 * False where the run was used up before. The ledger is the tenant's and the lock is an environment's: this waits for a
 * promotion in another environment that has just used up the run. Each transaction uses up one, so none waits in a circle.
 */
export async function consumeRun(
  client: PoolClient,
  { tenantId, environment, run, now }: Consumption,
): Promise<boolean> {
  const { measurementRunId, family, evidenceArtifactId } = run;
  const values = [tenantId, measurementRunId, environment, family, now, evidenceArtifactId];
  const { rowCount } = await client.query(CONSUME, values);
  return rowCount === 1;
}
