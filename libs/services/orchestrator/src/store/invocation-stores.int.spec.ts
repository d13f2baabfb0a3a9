import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import type { ModelUsage } from '@palimpsest/kernel';
import type { InvocationStore, KeptAnswer } from '../invocations/invocation-store.js';
import { MemoryInvocationStore } from '../invocations/memory-invocation-store.js';
import { orchestratorMigrations } from './migrations.js';
import { PostgresInvocationStore } from './postgres-invocation-store.js';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
const key = { tenantId: 'acme', runId: 'run-1', invocationId: 'i-1' };
const usage = (inputTokens: number): ModelUsage => ({
  provider: 'p',
  model: 'm',
  inputTokens,
  outputTokens: 1,
});
const answer: KeptAnswer = { kind: 'answered', value: { decision: { deep: [1, null, 'é'] } } };
const PLACE = { nodeId: 'n', ordinal: 2, name: { provider: 'p', model: 'm' } };
const failed: KeptAnswer = { kind: 'failed', error: { code: 'envelope_invalid', message: 'No.' } };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase([orchestratorMigrations]);
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('TRUNCATE orchestrator.model_invocations'));

describe.each<[string, () => InvocationStore]>([
  ['memory', () => new MemoryInvocationStore()],
  ['Postgres', () => new PostgresInvocationStore(database.pool)],
])('invocations of models in %s', (_name, create) => {
  let store: InvocationStore;
  beforeEach(() => {
    store = create();
  });
  const claim = (owner: string, now: Date, invocation = key) =>
    store.claim({ ...invocation, ...PLACE, owner, now, until: new Date(now.getTime() + 30_000) });
  const settle = (owner: string, kept?: KeptAnswer, usages = [usage(1)]) =>
    store.settle({ ...key, owner, usages, ...(kept && { answer: kept }) });
  const settleWithKey = (owner: string, cacheKey: string, kept?: KeptAnswer) =>
    store.settle({ ...key, owner, usages: [], cacheKey, ...(kept && { answer: kept }) });

  it('are claimed by one, until the claim ends', async () => {
    expect(await claim('a', at(0))).toEqual({ kind: 'claimed' });
    expect(await claim('b', at(29))).toEqual({ kind: 'taken' });
    expect(await claim('a', at(29))).toEqual({ kind: 'claimed' });
    expect(await claim('b', at(58))).toEqual({ kind: 'taken' });
    expect(await claim('b', at(59))).toEqual({ kind: 'claimed' });
  });

  it('are claimed by one of many at once', async () => {
    const owners = Array.from({ length: 20 }, (_, place) => `owner-${place}`);
    const claims = await Promise.all(owners.map((owner) => claim(owner, at(0))));
    expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
  });

  it.each([
    ['tenant', { ...key, tenantId: 'other' }],
    ['run', { ...key, runId: 'run-2' }],
    ['invocation', { ...key, invocationId: 'i-2' }],
  ])('are others for another %s', async (_what, other) => {
    await claim('a', at(0));
    await settle('a', answer);
    expect(await claim('b', at(0), other)).toEqual({ kind: 'claimed' });
  });

  it('stay claimed for longer where the claim is renewed by its owner', async () => {
    await claim('a', at(0));
    expect(await store.renew({ ...key, owner: 'a', until: at(50) })).toBe(true);
    expect(await store.renew({ ...key, owner: 'b', until: at(59) })).toBe(false);
    expect(await claim('b', at(49))).toEqual({ kind: 'taken' });
    expect(await claim('b', at(50))).toEqual({ kind: 'claimed' });
    expect(await store.renew({ ...key, owner: 'a', until: at(59) })).toBe(false);
  });

  it.each([answer, failed])('keep what came of them: %j', async (kept) => {
    await claim('a', at(0));
    expect(await settle('a', kept)).toEqual({ answer: kept, usages: [usage(1)] });
    expect(await claim('b', at(0))).toEqual({ kind: 'answered', answer: kept, usages: [usage(1)] });
  });

  it('can be made again at once where nothing came of them, and what was billed adds up in order', async () => {
    await claim('a', at(0));
    expect(await settle('a')).toEqual({ usages: [usage(1)] });
    expect(await claim('b', at(0))).toEqual({ kind: 'claimed' });
    const usages = [usage(2), { provider: 'p', model: 'm' }];
    const kept = { answer, usages: [usage(1), ...usages] };
    expect(await settle('b', answer, usages)).toEqual(kept);
    expect(await claim('c', at(0))).toEqual({ kind: 'answered', ...kept });
  });

  it('keep the first of two answers, and the cost of both', async () => {
    await claim('slow', at(0));
    await claim('fast', at(30));
    await settle('fast', answer);
    expect(await settle('slow', failed, [usage(2)])).toEqual({ answer, usages: [usage(1), usage(2)] });
  });

  it('stay claimed where somebody settles whose claim has ended', async () => {
    await claim('slow', at(0));
    await claim('fast', at(30));
    expect(await settle('slow')).toEqual({ usages: [usage(1)] });
    expect(await claim('other', at(31))).toEqual({ kind: 'taken' });
  });

  it('keep the key of the request that the answer came of, at its place', async () => {
    await claim('slow', at(0));
    expect(await store.keptCalls(key)).toEqual([]);
    await settleWithKey('slow', 'of no answer');
    await claim('slow', at(0));
    await claim('fast', at(30));
    await settleWithKey('fast', 'of the first', answer);
    await settleWithKey('slow', 'of the second', failed);
    expect(await claim('other', at(31))).toMatchObject({ kind: 'answered', cacheKey: 'of the first' });
    const call = { nodeId: 'n', ordinal: 2, provider: 'p', model: 'm', cacheKey: 'of the first' };
    expect(await store.keptCalls(key)).toEqual([call]);
    expect(await store.keptCalls({ tenantId: 'other', runId: 'run-1' })).toEqual([]);
    expect(await store.keptCalls({ tenantId: 'acme', runId: 'run-2' })).toEqual([]);
  });

  it('have no key where their request had none', async () => {
    await claim('a', at(0));
    await settle('a', answer);
    expect(await claim('b', at(0))).toEqual({ kind: 'answered', answer, usages: [usage(1)] });
    await settleWithKey('late', 'of another', failed);
    expect(await store.keptCalls(key)).toEqual([]);
  });

  it('are forgotten by age, some at a time', async () => {
    for (const [place, time] of [1, 2, 3, 9].entries())
      await claim('a', at(time), { ...key, invocationId: `i-${place}` });
    expect(await store.purge(at(9), 2)).toBe(2);
    expect(await store.purge(at(9), 2)).toBe(1);
    expect(await store.purge(at(9), 2)).toBe(0);
    expect(await claim('b', at(10), { ...key, invocationId: 'i-3' })).toEqual({ kind: 'taken' });
    expect(await store.settle({ ...key, owner: 'a', usages: [], answer })).toEqual({ usages: [], answer });
  });
});
