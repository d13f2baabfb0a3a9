import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { MemorySideEffectStore } from '../side-effects/memory-side-effect-store.js';
import type { SideEffectStore } from '../side-effects/side-effect-store.js';
import { orchestratorMigrations } from './migrations.js';
import { PostgresSideEffectStore } from './postgres-side-effect-store.js';

describe.each(['memory', 'postgres'])('SideEffectStore: %s', (kind) => {
  let database: TestDatabase | undefined;
  let store: SideEffectStore;
  beforeAll(async () => {
    if (kind === 'postgres') database = await createTestDatabase([orchestratorMigrations]);
    store = database ? new PostgresSideEffectStore(database.pool) : new MemorySideEffectStore();
  });
  afterAll(() => database?.drop());

  const perform = (invocationId: string, more: { tenantId?: string; nodeId?: string } = {}) =>
    store.perform({ tenantId: 'acme', runId: 'run-1', nodeId: 'effect', invocationId, ...more });
  const count = (tenantId = 'acme', nodeId = 'effect') => store.count({ tenantId, nodeId });

  it('counts an invocation once, by tenant and node', async () => {
    expect(await count()).toBe(0);
    await Promise.all([perform('a'), perform('a'), perform('b')]);
    await perform('a');
    expect(await count()).toBe(2);
    await perform('a', { nodeId: 'other' });
    await perform('a', { tenantId: 'rival' });
    expect([await count(), await count('acme', 'other'), await count('rival')]).toEqual([2, 1, 1]);
  });
});
