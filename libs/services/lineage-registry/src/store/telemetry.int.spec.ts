import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { PRIVATE_LABELS, PRIVATE_VALUES } from '@palimpsest/context-efficiency/testing';
import type { JsonValue } from '@palimpsest/contracts';
import { REGISTRY_SUBJECTS } from '@palimpsest/contracts/registry';
import { hasCode, systemClock } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import type { PoolClient } from 'pg';
import type { DecidedTelemetry } from '../domain/workgroup/decision.js';
import { telemetryRequests } from '../handlers/telemetry-requests.js';
import { efficiencyEvent } from '../testing/telemetry-events.js';
import { listed } from '../testing/telemetry-case.js';
import { decided, telemetryStoreContract } from '../testing/telemetry-store-contract.js';
import { insertTelemetry } from './insert-telemetry.js';
import { MemoryTelemetry } from './memory-telemetry.js';
import { createTelemetry } from './migrations/0003-telemetry.js';
import { PostgresTelemetry } from './postgres-telemetry.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase([{ schema: 'lineage_registry', migrations: [createTelemetry] }]);
});
afterAll(() => database.drop());

const memory = new MemoryTelemetry(systemClock);
telemetryStoreContract('memory', () => ({
  store: memory,
  decide: async (tenantId, rows) => memory.insert(tenantId, rows),
}));
telemetryStoreContract('Postgres', () => ({
  store: new PostgresTelemetry(database.pool),
  decide: (tenantId, rows) => inTransaction((client) => insertTelemetry(client, tenantId, rows)),
}));

async function inTransaction(work: (client: PoolClient) => Promise<void>, end = 'COMMIT'): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query(end);
  } finally {
    client.release();
  }
}

const entry = (id: string) => ({ id, event: efficiencyEvent() });

describe('telemetry in Postgres', () => {
  const store = () => new PostgresTelemetry(database.pool);
  const page = (tenantId: string, after = 0, limit = 10) =>
    store().list({ tenantId, environment: 'test', after, limit });
  const late = (id: string): DecidedTelemetry => decided(id);

  it('lists nothing that an open transaction may still come before, and then all, in that order', async () => {
    const tenantId = 'late';
    await inTransaction(async (slow) => {
      await slow.query('SELECT pg_current_xact_id()');
      await store().record(tenantId, 'test', [entry('early')]);
      await insertTelemetry(slow, tenantId, [late('late')]);
      expect(await page(tenantId)).toEqual({ events: [] });
    });
    const events = await listed({ store: store(), tenantId }, 2);
    expect(events.map(({ id }) => id)).toEqual(['late', 'early']);
    const [first = { position: 0 }, second = { position: 0 }] = events;
    expect(first.position).toBeGreaterThan(second.position);
    expect(await page(tenantId, 0, 1)).toEqual({ events: events.slice(0, 1), next: first.position });
    expect(await page(tenantId, first.position)).toEqual({ events: events.slice(1) });
    expect(await page(tenantId, second.position)).toEqual({ events: [] });
  });

  it('waits for others in one order, so that no two batches wait for each other', async () => {
    const record = (...ids: string[]) => store().record('orders', 'test', ids.map(entry));
    const waiting = async () => {
      const { rows } = await database.pool.query<{ count: number }>(
        "SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows[0]?.count;
    };
    let batches: readonly ReturnType<typeof record>[] = [];
    await inTransaction(async (slow) => {
      await insertTelemetry(slow, 'orders', [late('m')]);
      const first = record('z', 'm', 'a');
      await waitUntil(async () => (await waiting()) === 1);
      batches = [first, record('a', 'z')];
      await waitUntil(async () => (await waiting()) === 2);
    });
    expect(await Promise.all(batches)).toEqual([
      { recorded: ['z', 'a'], duplicates: ['m'] },
      { recorded: [], duplicates: ['a', 'z'] },
    ]);
  });

  it('records what a decision brings with its transaction, or not at all', async () => {
    const rows = [late('b'), late('a')];
    await inTransaction((client) => insertTelemetry(client, 'undone', rows), 'ROLLBACK');
    expect((await store().record('undone', 'test', [entry('a'), entry('b')])).recorded).toEqual(['a', 'b']);
  });

  it.each(['UPDATE', 'DELETE', 'TRUNCATE'])('refuses %s', async (operation) => {
    await store().record('kept', 'test', [entry('a')]);
    const statements: Record<string, string> = {
      UPDATE: "UPDATE lineage_registry.telemetry SET event = '{}'",
      DELETE: 'DELETE FROM lineage_registry.telemetry',
      TRUNCATE: 'TRUNCATE lineage_registry.telemetry',
    };
    await expect(database.pool.query(statements[operation] ?? '')).rejects.toMatchObject({ code: '23001' });
    expect(await store().observed('kept', 'test', null)).toHaveLength(1);
  });

  it('says that it is away, so that whoever asked asks again', async () => {
    const gone = await createTestDatabase([]);
    await gone.pool.end();
    await gone.drop();
    const away = new PostgresTelemetry(gone.pool);
    await expect(away.record('t', 'test', [entry('a')])).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    await expect(away.observed('t', 'test', null)).rejects.toMatchObject({ retryable: true });
  });
});

describe('private values', () => {
  const values = Object.entries({ ...PRIVATE_VALUES, ...PRIVATE_LABELS });

  it('are refused in any field, with all of their batch, and are nowhere in the database', async () => {
    const telemetry = new PostgresTelemetry(database.pool);
    const record = telemetryRequests({ telemetry })[REGISTRY_SUBJECTS.recordTelemetry];
    for (const [kind, value] of values) {
      for (const event of eventsHolding(value)) {
        const events = [entry('sound'), { id: 'private', event }];
        const body = { tenantId: 'private', environment: 'test', events } as unknown as JsonValue;
        const refusal: unknown = await record?.(body).catch((error: unknown) => error);
        expect([kind, hasCode(refusal, 'context_refused')]).toEqual([kind, true]);
        expect(JSON.stringify(refusal) + String(refusal)).not.toContain(value);
      }
    }
    const { rows } = await database.pool.query<{ text: string }>(
      'SELECT t::text FROM lineage_registry.telemetry t',
    );
    const text = rows.map((row) => row.text).join('\n');
    for (const [, value] of values) expect(text).not.toContain(JSON.stringify(value).slice(1, -1));
    expect(await telemetry.observed('private', 'test', null)).toEqual([]);
  });
});

/** The value in each place that a canonical event has for a text, under a key of its own, and as a key. */
function eventsHolding(value: string): readonly object[] {
  const sound = efficiencyEvent();
  const labels = [
    'event',
    'observed_at',
    'task_corpus_id',
    'provider',
    'runtime',
    'model',
    'profile',
    'mode',
  ];
  return [
    ...labels.map((name) => ({ ...sound, [name]: value })),
    { ...sound, reason_codes: [value] },
    { ...sound, billed: { ...sound.billed, currency: value } },
    { ...sound, billed: { ...sound.billed, accounting_source: value } },
    { ...sound, logical: { ...sound.logical, prompt_bytes: value } },
    { ...sound, outcome: { ...sound.outcome, elapsed_ms: value } },
    { ...sound, note: value },
    { ...sound, deep: [{ [value]: null }] },
  ];
}
