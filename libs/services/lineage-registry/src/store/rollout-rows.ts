import type { Candidate, RolloutStage } from '@palimpsest/contracts/registry';
import type { PoolClient } from 'pg';
import type { FamilyRollout } from '../domain/rollout/rollout.js';
import type { EnvironmentKey } from './lock-environment.js';
import type { FamilyReading } from './rollout-store.js';
import { SELECTION_RECORDED } from './selection-recorded.js';

export type RolloutRow = {
  readonly family: string;
  readonly version: number;
  readonly stage: RolloutStage;
  readonly canary_percent: number | null;
  readonly candidate: Candidate | null;
  readonly since: Date;
};

export const ROLLOUT_COLUMNS = 'family, version, stage, canary_percent, candidate, since';

const READ = `SELECT ${ROLLOUT_COLUMNS}, ${SELECTION_RECORDED} AS is_active
FROM lineage_registry.rollouts WHERE tenant_id = $1 AND environment = $2 ORDER BY family`;

const WRITE = `INSERT INTO lineage_registry.rollouts
  (tenant_id, environment, family, version, stage, canary_percent, candidate, since)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (tenant_id, environment, family) DO UPDATE SET version = EXCLUDED.version, stage = EXCLUDED.stage,
  canary_percent = EXCLUDED.canary_percent, candidate = EXCLUDED.candidate, since = EXCLUDED.since`;

export async function readFamilies(
  client: Pick<PoolClient, 'query'>,
  { tenantId, environment }: EnvironmentKey,
): Promise<readonly FamilyReading[]> {
  type Row = RolloutRow & { readonly is_active: boolean };
  const { rows } = await client.query<Row>(READ, [tenantId, environment]);
  return rows.map((row) => ({ rollout: rolloutOf(row), isActive: row.is_active }));
}

export async function writeRollout(
  client: PoolClient,
  { tenantId, environment }: EnvironmentKey,
  rollout: FamilyRollout,
): Promise<void> {
  const { family, version, stage, canaryPercent, candidate, since } = rollout;
  const text = candidate && JSON.stringify(candidate);
  await client.query(WRITE, [tenantId, environment, family, version, stage, canaryPercent, text, since]);
}

export function rolloutOf({ canary_percent: canaryPercent, since, ...row }: RolloutRow): FamilyRollout {
  const { family, version, stage, candidate } = row;
  return { family, version, stage, canaryPercent, candidate, since: since.toISOString() };
}
