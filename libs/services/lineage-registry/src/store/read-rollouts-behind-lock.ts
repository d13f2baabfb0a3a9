import type { PoolClient } from 'pg';
import type { EnvironmentRollouts } from '../domain/rollout/rollout.js';
import type { RolloutMoment } from '../domain/rollout/rollout-events.js';
import { CLOCK_MS } from './database-clock.js';
import type { KeptOutcome } from './outcome.js';
import { readFamilies } from './rollout-rows.js';
import type { RolloutChange } from './rollout-store.js';
import { streamOfRollouts } from './stream-names.js';

export type RolloutsBehindLock = {
  readonly rollouts: EnvironmentRollouts;
  readonly moment: RolloutMoment;
  /** What the command's id came to before. */
  readonly kept: KeptOutcome | undefined;
};

const READ = `SELECT ${CLOCK_MS} AS now, e.sequence, c.outcome AS kept, EXISTS (
    SELECT FROM lineage_registry.consumed_runs WHERE tenant_id = $1 AND measurement_run_id = $5
  ) AS is_consumed
FROM lineage_registry.environments AS e
LEFT JOIN lineage_registry.commands AS c ON c.tenant_id = $1 AND c.stream = $3 AND c.command_id = $4
WHERE e.tenant_id = $1 AND e.environment = $2`;

type Row = {
  readonly now: number;
  readonly sequence: number;
  readonly kept: KeptOutcome | null;
  readonly is_consumed: boolean;
};

/**
 * Begun after the lock was got: sees what whoever had it before left, and the clock after the wait. The environment's row is
 * there, as it is locked.
 */
export async function readRolloutsBehindLock(
  client: PoolClient,
  change: RolloutChange,
): Promise<RolloutsBehindLock> {
  const { tenantId, environment, commandId = null, measurementRunId = null } = change;
  const values = [tenantId, environment, streamOfRollouts(environment), commandId, measurementRunId];
  const { rows } = await client.query<Row>(READ, values);
  const [{ now, sequence, kept, is_consumed: isConsumed }] = rows as [Row];
  const readings = await readFamilies(client, change);
  const isActive = readings.some(({ rollout, isActive }) => rollout.family === change.family && isActive);
  return {
    rollouts: {
      environment,
      sequence,
      families: new Map(readings.map(({ rollout }) => [rollout.family, rollout])),
    },
    moment: { now, isActive, isConsumed },
    kept: kept ?? undefined,
  };
}
