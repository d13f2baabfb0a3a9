import { createPool } from '@palimpsest/adapter-postgres';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import type { JsonValue } from '@palimpsest/contracts';
import { waitUntil } from '@palimpsest/kernel/testing';
import type { Pool, PoolClient } from 'pg';
import { evolveRollouts } from '../domain/rollout/evolve-rollouts.js';
import { measurementRunIdOf } from '../domain/rollout/promote.js';
import { noRollouts } from '../domain/rollout/rollout.js';
import type { RecordedRolloutEvent } from '../domain/rollout/rollout-events.js';
import { CANDIDATE, EVIDENCE_ID } from '../testing/rollout-cases.js';
import {
  codeOr,
  freshEvidence,
  RolloutCommands,
  rolloutStoreContract,
} from '../testing/rollout-store-contract.js';
import { lineageRegistryMigrations } from './migrations.js';
import { PostgresRolloutStore } from './postgres-rollout-store.js';
import { PostgresTelemetry } from './postgres-telemetry.js';

let database: TestDatabase;
let second: Pool;
beforeAll(async () => {
  database = await createTestDatabase([lineageRegistryMigrations]);
  second = createPool(database.url, { applicationName: 'second' });
});
afterAll(async () => {
  await second.end();
  await database.drop();
});

rolloutStoreContract('Postgres', async () => ({
  stores: [new PostgresRolloutStore(database.pool), new PostgresRolloutStore(second)],
  telemetry: new PostgresTelemetry(database.pool),
  close: async () => undefined,
}));

describe('rollouts in Postgres', () => {
  let cases = 0;
  let commands: RolloutCommands;
  beforeEach(() => {
    const place = { tenantId: `acme-${(cases += 1)}`, environment: 'staging' };
    commands = new RolloutCommands(place, new PostgresRolloutStore(database.pool));
  });

  /** Does the work while another transaction, which has begun with these statements, is open. */
  async function beside<Result>(
    begun: (client: PoolClient) => Promise<unknown>,
    work: (finish: (how: 'COMMIT' | 'ROLLBACK') => Promise<unknown>) => Promise<Result>,
  ): Promise<Result> {
    const client = await second.connect();
    try {
      await client.query('BEGIN');
      await begun(client);
      return await work((how) => client.query(how));
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }
  const lock = (client: PoolClient) =>
    client.query('SELECT FROM lineage_registry.environments WHERE tenant_id = $1 FOR UPDATE', [
      commands.place.tenantId,
    ]);
  const somebodyWaits = () =>
    waitUntil(async () => {
      const { rowCount } = await database.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rowCount;
    });

  it('are what their events make of nothing', async () => {
    await commands.climb('25');
    await commands.change('off');
    await commands.climb('observe', 'capsules');
    const { tenantId, environment } = commands.place;
    const { rows } = await database.pool.query<Omit<RecordedRolloutEvent, 'recordedAt'> & { at: Date }>(
      `SELECT sequence, type, payload, recorded_at AS at FROM lineage_registry.events
       WHERE tenant_id = $1 AND stream = 'rollout/staging' ORDER BY sequence`,
      [tenantId],
    );
    const events = rows.map(({ at, ...event }) => ({ ...event, recordedAt: at.toISOString() }));
    const folded = (events as RecordedRolloutEvent[]).reduce(evolveRollouts, noRollouts(environment));
    const families = await commands.store.families(tenantId, environment);
    expect(families.map(({ rollout }) => rollout)).toEqual(
      [...folded.families.values()].sort((one, other) => (one.family < other.family ? -1 : 1)),
    );
    const head = await database.pool.query(
      'SELECT sequence FROM lineage_registry.environments WHERE tenant_id = $1',
      [tenantId],
    );
    expect(head.rows).toEqual([{ sequence: folded.sequence }]);
    expect(folded.sequence).toBe(rows.length - 1);
  });

  it("change at the database's time behind the lock", async () => {
    await commands.climb('observe');
    const { changed, freed } = await beside(lock, async (finish) => {
      const changing = commands.change('shadow');
      await somebodyWaits();
      const { rows } = await second.query<{ now: Date }>('SELECT clock_timestamp() AS now');
      await finish('COMMIT');
      return { changed: await changing, freed: rows[0]?.now.getTime() ?? Infinity };
    });
    expect(Date.parse(changed.since ?? '')).toBeGreaterThanOrEqual(freed);
  });

  it('are selected in while a change holds the lock', async () => {
    await commands.change('observe', { candidate: CANDIDATE });
    const selection = await beside(lock, () => commands.select({ commandId: 's-1' }));
    expect(selection).toMatchObject({ stage: 'observe', recordActual: true });
    expect((await commands.view())?.active).toBe(true);
  });

  it.each([
    ['COMMIT', false],
    ['ROLLBACK', true],
  ] as const)(
    'wait for a promotion elsewhere by the same run: after its %s, promoted %p',
    async (how, promoted) => {
      await commands.climb('shadow');
      const of = freshEvidence();
      const consumed = (client: PoolClient) =>
        client.query(
          `INSERT INTO lineage_registry.consumed_runs
           (consumed_at, tenant_id, measurement_run_id, environment, family, evidence_artifact_id)
         VALUES (now(), $1, $2, 'production', 'reuse', $3)`,
          [commands.place.tenantId, measurementRunIdOf(of), EVIDENCE_ID],
        );
      const answer = await beside(consumed, async (finish) => {
        const promoting = commands.promote(of);
        await somebodyWaits();
        await finish(how);
        return promoting;
      });
      expect(answer.promoted).toBe(promoted);
      expect(answer.gates.filter(({ passed }) => !passed).map(({ gate }) => gate)).toEqual(
        promoted ? [] : ['provenance'],
      );
      const { rows } = await database.pool.query(
        'SELECT environment FROM lineage_registry.consumed_runs WHERE tenant_id = $1',
        [commands.place.tenantId],
      );
      expect(rows).toEqual([{ environment: promoted ? 'staging' : 'production' }]);
    },
  );

  it.each([
    ['UPDATE', "UPDATE lineage_registry.consumed_runs SET family = 'other'"],
    ['DELETE', 'DELETE FROM lineage_registry.consumed_runs'],
    ['TRUNCATE', 'TRUNCATE lineage_registry.consumed_runs'],
  ])('keep the ledger of measurement runs: %s is refused', async (_name, statement) => {
    await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '23001' });
  });

  it('refuse who has waited for a turn for too long, with nothing decided', async () => {
    await commands.climb('observe');
    const { place } = commands;
    const impatient = new RolloutCommands(place, new PostgresRolloutStore(database.pool, { mostWaitMs: 20 }));
    await beside(lock, async (finish) => {
      const first = impatient.change('shadow');
      const second = expect(impatient.change('off')).rejects.toMatchObject({ code: 'service_unavailable' });
      await somebodyWaits();
      await database.pool.query('SELECT pg_sleep(0.03)');
      await finish('COMMIT');
      await Promise.all([first, second]);
    });
    expect(await commands.view()).toMatchObject({ stage: 'shadow', version: 2 });
    await impatient.change('observe');
  });

  it('leave no row of an environment in which nothing happened', async () => {
    expect(await codeOr(commands.change('off'))).toBe('validation_error');
    const { rows } = await database.pool.query(
      'SELECT FROM lineage_registry.environments WHERE tenant_id = $1',
      [commands.place.tenantId],
    );
    expect(rows).toEqual([]);
  });

  it('have one family under way, if all else fails, by the database', async () => {
    await commands.change('observe', { candidate: CANDIDATE });
    const insert = database.pool.query(
      `INSERT INTO lineage_registry.rollouts (tenant_id, environment, family, version, stage, candidate, since)
       VALUES ($1, 'staging', 'second', 1, 'shadow', '{}', now())`,
      [commands.place.tenantId],
    );
    await expect(insert).rejects.toMatchObject({ code: '23505', constraint: 'rollouts_under_way' });
  });

  it('keep figures to the last digit, and nothing of the evidence', async () => {
    await commands.climb('shadow');
    const tight = {
      median_cost_reduction: 0.1 + 0.2,
      max_quality_drop_points: -1e-7,
      minimum_sample_size: 2 ** 53,
    };
    const of = freshEvidence({ thresholds: tight }) as Record<string, JsonValue>;
    const answer = await commands.promote(of);
    const [event] = await commands.store.lastEvents({
      ...commands.place,
      family: 'reuse',
      type: 'palimpsest.rollout.promotion_evaluated',
      limit: 1,
    });
    expect(event?.payload.gates).toEqual(answer.gates);
    expect(answer.gates.map(({ threshold }) => threshold)).toEqual(
      expect.arrayContaining([0.30000000000000004, -1e-7, 2 ** 53]),
    );
    const { rows } = await database.pool.query<{ row: string }>(
      `SELECT payload::text AS row FROM lineage_registry.events WHERE tenant_id = $1
       UNION ALL SELECT outcome::text FROM lineage_registry.commands WHERE tenant_id = $1`,
      [commands.place.tenantId],
    );
    const { signature } = of['measurement_envelope'] as { signature: string };
    const text = JSON.stringify(rows);
    for (const hidden of [signature, 'measurement-key-', 'provider_reported_total'])
      expect(text).not.toContain(hidden);
  });
});
