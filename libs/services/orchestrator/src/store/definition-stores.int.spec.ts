import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import type { DefinitionStore } from '../definitions/definition-store.js';
import { MemoryDefinitionStore } from '../definitions/memory-definition-store.js';
import { entryOf } from '../testing/definitions.js';
import { orchestratorMigrations } from './migrations.js';
import { PostgresDefinitionStore } from './postgres-definition-store.js';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
const versionOf = ({ definition, digest }: ReturnType<typeof entryOf>) => ({ definition, digest });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase([orchestratorMigrations]);
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('TRUNCATE orchestrator.workflows, orchestrator.workflow_versions'));

describe.each<[string, () => DefinitionStore]>([
  ['memory', () => new MemoryDefinitionStore()],
  ['Postgres', () => new PostgresDefinitionStore(database.pool)],
])('definitions in %s', (_name, create) => {
  let store: DefinitionStore;
  beforeEach(() => {
    store = create();
  });

  it('are in force as they were put, and known by digest for ever', async () => {
    const [first, second] = [entryOf('w', 'd-1'), entryOf('w', 'd-2')];
    expect(await store.inForce('acme', 'w')).toBeUndefined();
    expect(await store.version('d-1')).toBeUndefined();
    expect(await store.put(first, at(0))).toBe(true);
    expect(await store.inForce('acme', 'w')).toEqual(versionOf(first));
    expect(await store.put(second, at(1))).toBe(true);
    expect(await store.inForce('acme', 'w')).toEqual(versionOf(second));
    expect(await store.version('d-1')).toEqual(versionOf(first));
    expect(await store.put(first, at(2))).toBe(true);
    expect(await store.inForce('acme', 'w')).toEqual(versionOf(first));
  });

  it('are not put twice, also at once', async () => {
    const puts = await Promise.all([1, 2, 3, 4].map(() => store.put(entryOf('w', 'd-1'), at(0))));
    expect(puts).toContain(true);
    expect(await store.put(entryOf('w', 'd-1'), at(1))).toBe(false);
    expect(await store.put(entryOf('w', 'd-1', { fixture: true }), at(1))).toBe(true);
  });

  it('of a tenant come before those of the host, for that tenant alone', async () => {
    const [host, own] = [entryOf('w', 'd-1'), entryOf('w', 'd-2', { owner: 'acme' })];
    await store.put(host, at(0));
    await store.put(own, at(0));
    expect(await store.inForce('acme', 'w')).toEqual(versionOf(own));
    expect(await store.inForce('other', 'w')).toEqual(versionOf(host));
  });

  it('of a tenant are forgotten, the versions stay', async () => {
    const own = entryOf('b', 'd-2', { owner: 'acme' });
    await store.put(entryOf('a', 'd-1'), at(0));
    await store.put(own, at(0));
    await store.put(entryOf('a-b', 'd-3', { owner: 'acme' }), at(0));
    await store.put(entryOf('b', 'd-2', { owner: 'other' }), at(0));
    expect(await store.forget('acme')).toEqual(['a-b', 'b']);
    expect(await store.forget('acme')).toEqual([]);
    expect(await store.inForce('acme', 'b')).toBeUndefined();
    expect(await store.inForce('other', 'b')).toEqual(versionOf(own));
    expect(await store.inForce('acme', 'a')).toBeDefined();
    expect(await store.version('d-3')).toBeDefined();
  });

  it('that are fixtures are listed in order, and retained by name', async () => {
    for (const id of ['f_b', 'f-c', 'fa']) await store.put(entryOf(id, `d-${id}`, { fixture: true }), at(0));
    await store.put(entryOf('own', 'd-own'), at(0));
    await store.put(entryOf('reg', 'd-reg', { owner: 'acme', fixture: true }), at(0));
    expect(await store.fixtures()).toEqual(['f-c', 'f_b', 'fa']);
    await store.retainFixtures(['fa', 'own', 'new']);
    expect(await store.fixtures()).toEqual(['fa']);
    expect(await store.inForce('acme', 'own')).toBeDefined();
    expect(await store.inForce('acme', 'reg')).toBeDefined();
    await store.retainFixtures([]);
    expect(await store.fixtures()).toEqual([]);
  });
});

describe('definitions in Postgres', () => {
  it('are neither written nor locked where they are in force', async () => {
    const store = new PostgresDefinitionStore(database.pool);
    await store.put(entryOf('w', 'd-1'), at(0));
    const rows = () =>
      database.pool.query(`SELECT xmin, xmax, ctid, updated_at FROM orchestrator.workflows
        UNION ALL SELECT xmin, xmax, ctid, created_at FROM orchestrator.workflow_versions`);
    const before = (await rows()).rows;
    await store.put(entryOf('w', 'd-1'), at(9));
    expect((await rows()).rows).toEqual(before);
  });
});
