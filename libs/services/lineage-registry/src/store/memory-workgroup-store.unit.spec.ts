import { workgroupStoreContract } from '../testing/workgroup-store-contract.js';
import { opened, registered } from '../testing/sample-events.js';
import { MemoryWorkgroupStore } from './memory-workgroup-store.js';
import type { RolloutStanding } from '../domain/rollout/rollout.js';

const START = Date.UTC(2030, 0, 1);
const DAY_MS = 86_400_000;

workgroupStoreContract('memory', async () => {
  let now = START;
  const rollouts = new Map<string, RolloutStanding>();
  const kept: { tenantId: string; id: string }[] = [];
  const key = (...parts: string[]) => parts.join('/');
  const store = new MemoryWorkgroupStore({
    now: () => now,
    rolloutOf: (...place) => rollouts.get(key(...place)),
    keepTelemetry: (tenantId, rows) => kept.push(...rows.map(({ id }) => ({ tenantId, id }))),
  });
  return {
    store,
    other: store,
    setRollout: async (tenantId, standing) => {
      rollouts.set(key(tenantId, standing.environment, standing.family), standing);
    },
    telemetryIds: async (tenantId) => kept.filter((row) => row.tenantId === tenantId).map(({ id }) => id),
    ageCommands: async (ms) => {
      now += ms;
    },
    close: async () => undefined,
  };
});

describe('the clock of the memory store', () => {
  let now: number;
  let store: MemoryWorkgroupStore;
  const change = { tenantId: 'acme', workgroupId: 'wg', commandId: 'c' };
  beforeEach(async () => {
    now = START;
    store = new MemoryWorkgroupStore({ now: () => now });
    const events = [opened, registered('one', 1, new Date(START + 1000).toISOString())];
    await store.decide(change, () => ({ events, answer: {} }));
  });

  it.each([
    [999, 0],
    [1000, 1],
    [1001, 1],
  ])('has a lease of a second over after %d ms: %d', async (ms, expired) => {
    now = START + ms;
    expect(await store.withExpired(9)).toHaveLength(expired);
  });

  it.each([
    [DAY_MS - 1, 0],
    [DAY_MS, 0],
    [DAY_MS + 1, 1],
  ])('has a command forgotten when it is older than a day: %d ms, %d', async (ms, forgotten) => {
    now = START + ms;
    expect(await store.forgetCommands()).toBe(forgotten);
  });
});
