import { systemClock } from '@palimpsest/kernel';
import { CANDIDATE } from '../testing/rollout-cases.js';
import { RolloutCommands, rolloutStoreContract } from '../testing/rollout-store-contract.js';
import { MemoryRolloutStore } from './memory-rollout-store.js';
import { MemoryTelemetry } from './memory-telemetry.js';

rolloutStoreContract('memory', async () => {
  const telemetry = new MemoryTelemetry(systemClock);
  const store = new MemoryRolloutStore(systemClock, telemetry);
  return { stores: [store, store], telemetry, close: async () => undefined };
});

it('tells the other twin where a family stands', async () => {
  const store = new MemoryRolloutStore(systemClock, new MemoryTelemetry(systemClock));
  const off = { environment: 'staging', family: 'reuse', version: 0, stage: 'off', canaryPercent: null };
  expect(store.standing('acme', 'staging', 'reuse')).toEqual(off);
  await new RolloutCommands({ tenantId: 'acme', environment: 'staging' }, store).change('observe', {
    candidate: CANDIDATE,
  });
  expect(store.standing('acme', 'staging', 'reuse')).toEqual({ ...off, version: 1, stage: 'observe' });
});
