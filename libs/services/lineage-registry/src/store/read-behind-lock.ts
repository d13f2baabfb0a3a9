import type { PoolClient } from 'pg';
import type { RolloutStanding } from '../domain/rollout/rollout.js';
import type { Workgroup } from '../domain/workgroup/workgroup.js';
import { CLOCK_MS } from './database-clock.js';
import { lineageRowJson } from './lineage-row.js';
import type { KeptOutcome } from './outcome.js';
import { streamOfWorkgroup } from './stream-names.js';
import { workgroupOf, type WorkgroupRow } from './workgroup-row.js';
import type { DecisionMoment, WorkgroupChange } from './workgroup-store.js';

export type BehindLock = {
  readonly workgroup: Workgroup;
  readonly moment: DecisionMoment;
  /** What the command's id came to before. */
  readonly kept: KeptOutcome | undefined;
};

/** `LATERAL` with an `OFFSET` leaves the planner nothing but looking each named lineage up by its key. */
const LINEAGES = `(
  SELECT COALESCE(json_agg(${lineageRowJson('l')} ORDER BY l.registered, l.lineage_id), '[]')
  FROM (
    SELECT * FROM lineage_registry.lineages
    WHERE tenant_id = $1 AND workgroup_id = $2 AND status IN ('held', 'idle')
    UNION ALL
    SELECT named.* FROM unnest($3::text[]) AS given(id) CROSS JOIN LATERAL (
      SELECT * FROM lineage_registry.lineages WHERE tenant_id = $1 AND lineage_id = given.id OFFSET 0
    ) AS named
    WHERE named.workgroup_id = $2 AND named.status = 'evicted'
  ) AS l
)`;

const READ = `
SELECT ${CLOCK_MS} AS now, w.sequence, w.phase, w.last_fence, w.state, ${LINEAGES} AS lineages, c.outcome AS kept`;

const FROM = `
FROM lineage_registry.workgroups w
LEFT JOIN lineage_registry.commands c ON c.tenant_id = $1 AND c.stream = $4 AND c.command_id = $5`;

const ROLLOUT_FROM = `
LEFT JOIN lineage_registry.rollouts r ON r.tenant_id = $1 AND r.environment = $6 AND r.family = $7`;

const WHERE = `
WHERE w.tenant_id = $1 AND w.workgroup_id = $2`;

const STATEMENTS = {
  plain: { name: 'lineage_registry.behind_lock', text: READ + FROM + WHERE },
  withRollout: {
    name: 'lineage_registry.behind_lock_with_rollout',
    text: `${READ}, r.version, r.stage, r.canary_percent ${FROM}${ROLLOUT_FROM}${WHERE}`,
  },
};

type Row = WorkgroupRow & {
  readonly now: number;
  readonly kept: KeptOutcome | null;
  readonly version?: number | null;
  readonly stage?: RolloutStanding['stage'] | null;
  readonly canary_percent?: number | null;
};

/**
 * One statement, begun after the lock was got: it sees what whoever had it before left, and the clock after the wait.
 * The workgroup's row is there, as it is locked.
 */
export async function readBehindLock(client: PoolClient, change: WorkgroupChange): Promise<BehindLock> {
  const { tenantId, workgroupId, commandId = null, rollout } = change;
  const key = [
    tenantId,
    workgroupId,
    [...new Set(change.lineageIds)],
    streamOfWorkgroup(workgroupId),
    commandId,
  ];
  const { rows } = await client.query<Row>({
    ...STATEMENTS[rollout ? 'withRollout' : 'plain'],
    values: rollout ? [...key, rollout.environment, rollout.family] : key,
  });
  const [row] = rows as [Row];
  return {
    workgroup: workgroupOf(workgroupId, row),
    moment: { now: row.now, ...(rollout && { rollout: { ...rollout, ...standing(row) } }) },
    kept: row.kept ?? undefined,
  };
}

/** A family without a row never left `off`. */
function standing({ version, stage, canary_percent }: Row): Omit<RolloutStanding, 'environment' | 'family'> {
  return { version: version ?? 0, stage: stage ?? 'off', canaryPercent: canary_percent ?? null };
}
