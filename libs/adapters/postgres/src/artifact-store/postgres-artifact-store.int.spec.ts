import { artifactStoreContract, testTenantKey } from '@palimpsest/kernel/testing';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { artifactStoreMigrations } from './artifact-store-migrations.js';
import { PostgresArtifactStore } from './postgres-artifact-store.js';

const DAMAGE = `
UPDATE artifact_store.artifacts SET content = set_byte(content, 3, get_byte(content, 3) # 1)
WHERE tenant_id = $1 AND artifact_id = $2`;

artifactStoreContract('postgres', async () => {
  const database = await createTestDatabase([artifactStoreMigrations]);
  return {
    store: new PostgresArtifactStore(database.pool, { newTenantKey: testTenantKey }),
    damage: async (tenantId, artifactId) => {
      await database.pool.query(DAMAGE, [tenantId, artifactId]);
    },
    close: () => database.drop(),
  };
});

describe('PostgresArtifactStore', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase([artifactStoreMigrations]);
  });
  afterAll(() => database.drop());

  const text = (length: number, fill = 'x') => ({ type: 'message' as const, content: fill.repeat(length) });

  it('gives instances that start together one key for a tenant', async () => {
    const stores = Array.from({ length: 6 }, () => new PostgresArtifactStore(database.pool));
    const ids = await Promise.all(stores.map((store) => store.put('racing', 'run', [text(3)])));
    expect(new Set(ids.flat()).size).toBe(1);
  });

  it('keeps ids over a restart, and reads what another instance stored', async () => {
    const before = await new PostgresArtifactStore(database.pool).put('kept', 'run', [text(3)]);
    const restarted = new PostgresArtifactStore(database.pool);
    expect(await restarted.put('kept', 'run', [text(3)])).toEqual(before);
    expect((await restarted.get('kept', before)).size).toBe(1);
  });

  it('stores and links all or nothing where a put takes several statements', async () => {
    const store = new PostgresArtifactStore(database.pool);
    const large = Array.from({ length: 5 }, (_, index) => text(3 * 2 ** 20, String(index)));
    const ids = await store.put('large', 'run', [...large, text(16 * 2 ** 20 - 2)]);
    expect((await store.get('large', ids)).size).toBe(6);
    for (const id of ids) expect(await store.getForRun('large', 'run', id)).toHaveProperty('content');
  });

  it('lets puts of several statements of one run race without a deadlock', async () => {
    const store = new PostgresArtifactStore(database.pool);
    const shared = Array.from({ length: 8 }, (_, index) => text(2 ** 20, String(index)));
    const puts = [0, 1, 2, 3].map((own) =>
      store.put('crowd', 'run', [...shared.toReversed(), text(2 ** 21, `own ${own}`)]),
    );
    expect((await Promise.all(puts)).map((ids) => ids.length)).toEqual([9, 9, 9, 9]);
  });

  it('keeps nothing of erased content in its row', async () => {
    const store = new PostgresArtifactStore(database.pool);
    const [id] = await store.put('erased', 'run', [text(3)]);
    await store.erase('erased', id ?? '');
    const { rows } = await database.pool.query(
      `SELECT content, sha256, erased_at FROM artifact_store.artifacts WHERE tenant_id = 'erased'`,
    );
    expect(rows).toEqual([{ content: null, sha256: null, erased_at: expect.any(Date) }]);
  });

  it('says unavailable when the database is gone, and asks again for a key that it could not read', async () => {
    const store = new PostgresArtifactStore(database.pool);
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const query = jest.spyOn(database.pool, 'query').mockImplementation(() => {
      throw refused;
    });
    const unavailable = { code: 'service_unavailable', retryable: true };
    await expect(store.put('gone', 'run', [text(3)])).rejects.toMatchObject(unavailable);
    await expect(store.getForRun('gone', 'run', `art_${'A'.repeat(32)}`)).rejects.toMatchObject(unavailable);
    query.mockRestore();
    expect(await store.put('gone', 'run', [text(3)])).toHaveLength(1);
  });
});
