import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { MemoryMockProgramStore } from '../mock-provider/memory-mock-program-store.js';
import type { MockProgramStore } from '../mock-provider/mock-program-store.js';
import { orchestratorMigrations } from './migrations.js';
import { PostgresMockProgramStore } from './postgres-mock-program-store.js';

const node = { tenantId: 'acme', nodeId: 'n' };
const says = (content: string) => ({ content, stopReason: 'end_turn' });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase([orchestratorMigrations]);
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('TRUNCATE orchestrator.mock_programs'));

describe.each<[string, () => MockProgramStore]>([
  ['memory', () => new MemoryMockProgramStore()],
  ['Postgres', () => new PostgresMockProgramStore(database.pool)],
])('programs of the provider mock in %s', (_name, create) => {
  let store: MockProgramStore;
  beforeEach(() => {
    store = create();
  });
  const take = (invocationId: string, of = node) => store.take({ ...of, runId: 'run-1', invocationId });

  it('answer in order, the same invocation alike, until they end', async () => {
    const refusal = { content: '', stopReason: 'refusal', refusalText: 'no' };
    await store.program({ ...node, program: [says('a'), refusal] });
    expect(await take('1')).toEqual(says('a'));
    expect(await take('2')).toEqual(refusal);
    expect(await take('1')).toEqual(says('a'));
    expect(await take('3')).toBeUndefined();
    expect(await take('2')).toEqual(refusal);
  });

  it('are those of a tenant and a node', async () => {
    await store.program({ ...node, program: [says('a')] });
    expect(await take('1', { ...node, tenantId: 'other' })).toBeUndefined();
    expect(await take('1', { ...node, nodeId: 'other' })).toBeUndefined();
    expect(await take('1')).toEqual(says('a'));
  });

  it('are replaced by the next, from its beginning', async () => {
    await store.program({ ...node, program: [says('a'), says('b')] });
    await take('1');
    await store.program({ ...node, program: [says('c')] });
    expect(await take('1')).toEqual(says('c'));
    expect(await take('2')).toBeUndefined();
    await store.program({ ...node, program: [] });
    expect(await take('3')).toBeUndefined();
  });

  it('give each answer once, to many at once', async () => {
    const names = Array.from({ length: 20 }, (_, place) => String(place));
    await store.program({ ...node, program: names.map(says) });
    const taken = await Promise.all(names.map((name) => take(name)));
    expect(taken.map((each) => each?.content).sort()).toEqual([...names].sort());
  });
});
