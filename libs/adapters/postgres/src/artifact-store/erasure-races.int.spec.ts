import { sealArtifacts } from '@palimpsest/kernel';
import { testTenantKey } from '@palimpsest/kernel/testing';
import type { PoolClient } from 'pg';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { artifactStoreMigrations } from './artifact-store-migrations.js';
import { eraseRun } from './erase-run.js';
import { lockErasure } from './erasure-lock.js';
import { linkFork } from './link-fork.js';
import { nodeContentHash } from './node-content-hash.js';
import { PostgresArtifactStore } from './postgres-artifact-store.js';
import { storeArtifacts, storeStatements } from './store-artifacts.js';

const SAID = { type: 'message' as const, content: { role: 'user', text: 'said' } };
const WAITS = `SELECT count(*)::int AS waiting FROM pg_locks JOIN pg_database ON pg_database.oid = database
WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`;

/** What two connections do to the same content, with one of them held right before its commit. */
describe('erasing a run while its content gets another user', () => {
  let database: TestDatabase;
  let store: PostgresArtifactStore;
  let held: PoolClient;
  let tenantId: string;
  let artifactId: string;
  let tenants = 0;
  beforeAll(async () => {
    database = await createTestDatabase([artifactStoreMigrations]);
    store = new PostgresArtifactStore(database.pool, { newTenantKey: testTenantKey });
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    tenantId = `tenant-${(tenants += 1)}`;
    [artifactId = ''] = await store.put(tenantId, 'source', [SAID]);
    held = await database.pool.connect();
    await held.query('BEGIN');
  });
  afterEach(() => held.release(true));

  /** What it comes to once the held connection commits; fails where it did not wait for that. */
  async function afterCommit<Result>(work: Promise<Result>): Promise<Result> {
    let done = false;
    const ended = work.finally(() => (done = true));
    while (!done && !(await isWaiting()));
    expect(done).toBe(false);
    await held.query('COMMIT');
    return ended;
  }

  async function isWaiting(): Promise<boolean> {
    const { rows } = await database.pool.query<{ waiting: number }>(WAITS);
    return (rows[0]?.waiting ?? 0) > 0;
  }

  async function erasingHeld(): Promise<void> {
    await lockErasure(held, tenantId, 'erasing');
    expect(await eraseRun(held, tenantId, 'source')).toEqual({ erased: 1, kept: 0 });
  }

  const putBy = (runId: string) =>
    storeArtifacts(
      held,
      storeStatements(tenantId, runId, sealArtifacts(nodeContentHash, testTenantKey(tenantId), [SAID])),
    );
  const readBy = (runId: string) => store.getForRun(tenantId, runId, artifactId);

  it('keeps it where a fork was linked first', async () => {
    await linkFork(held, { tenantId, forkRunId: 'fork', sourceRunId: 'source' });
    expect(await afterCommit(store.eraseRun(tenantId, 'source'))).toEqual({ erased: 0, kept: 1 });
    expect(await readBy('fork')).toHaveProperty('content', SAID.content);
  });

  it('lets a fork that comes later know that it is gone', async () => {
    await erasingHeld();
    await afterCommit(store.linkFork(tenantId, 'fork', 'source'));
    expect(await store.erasedOf(tenantId, 'fork')).toEqual([artifactId]);
  });

  it('keeps it where another run stored the same first', async () => {
    await putBy('other');
    expect(await afterCommit(store.eraseRun(tenantId, 'source'))).toEqual({ erased: 0, kept: 1 });
    expect(await readBy('other')).toHaveProperty('content', SAID.content);
  });

  it('keeps it where a run that gave it up stored it again first', async () => {
    await store.put(tenantId, 'other', [SAID]);
    await store.eraseRun(tenantId, 'other');
    await putBy('other');
    expect(await afterCommit(store.eraseRun(tenantId, 'source'))).toEqual({ erased: 0, kept: 1 });
    expect(await readBy('other')).toHaveProperty('content', SAID.content);
  });

  it('lets nobody who stores it later believe that it is there', async () => {
    await erasingHeld();
    await afterCommit(store.put(tenantId, 'other', [SAID]));
    expect(await readBy('other')).toEqual({ artifactId, erased: true });
  });
});
