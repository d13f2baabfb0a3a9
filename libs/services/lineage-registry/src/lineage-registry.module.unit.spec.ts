import { RegistryClient } from '@palimpsest/adapter-clients';
import {
  InProcessBus,
  MemoryArtifactStore,
  MemoryEventLog,
  MemoryStreamStore,
} from '@palimpsest/adapter-memory';
import { REGISTRY_SUBJECTS } from '@palimpsest/contracts/registry';
import { silentLogger } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { LineageRegistryModule } from './lineage-registry.module.js';
import { MemoryRolloutStore } from './store/memory-rollout-store.js';
import { MemoryTelemetry } from './store/memory-telemetry.js';
import { MemoryWorkgroupStore } from './store/memory-workgroup-store.js';

const TENANT = 'tenant-1';
const START = Date.UTC(2031, 2, 10);
const DAY_MS = 86_400_000;

/** A module on memory alone, and a client of it. */
function registry() {
  let now = START;
  const clock = { now: () => new Date(now) };
  const telemetry = new MemoryTelemetry(clock);
  const bus = new InProcessBus({ store: new MemoryStreamStore() });
  const workgroups = new MemoryWorkgroupStore({ now: () => now });
  const module = new LineageRegistryModule({
    bus,
    eventLog: new MemoryEventLog(),
    artifacts: new MemoryArtifactStore(),
    workgroups,
    rollouts: new MemoryRolloutStore(clock, telemetry),
    telemetry,
    ids: { runId: () => 'run_1', requestId: () => 'req_1' },
    logger: silentLogger,
    sweepMs: 1,
  });
  return {
    bus,
    module,
    workgroups,
    client: new RegistryClient(bus),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('LineageRegistryModule', () => {
  it('answers every subject of the registry, each once, and follows the log', async () => {
    const { bus, module } = registry();
    const respond = jest.spyOn(bus, 'respond');
    const consume = jest.spyOn(bus, 'consume');
    await module.onApplicationBootstrap();
    const answered = respond.mock.calls.map(([subject]) => subject);
    expect(answered.toSorted()).toEqual(Object.values(REGISTRY_SUBJECTS).toSorted());
    expect(new Set(respond.mock.calls.map(([, queue]) => queue))).toEqual(new Set(['lineage-registry']));
    expect(consume).toHaveBeenCalledTimes(1);
    await module.onModuleDestroy();
    await bus.close();
  });

  it('ends a lease that is over though nobody asks for its workgroup, until it is shut down', async () => {
    const { bus, module, workgroups, client, pass } = registry();
    await module.onApplicationBootstrap();
    const key = { tenantId: TENANT, workgroupId: 'wg-1' };
    await client.coordinate(key);
    const record = { ...RECORD, lineage_id: 'scout-1' };
    await client.register({ ...key, record, leaseMs: 1000 });
    const statusOf = async (lineageId: string) =>
      (await workgroups.lineage(TENANT, lineageId))?.lineage.status;
    pass(1000);
    await waitUntil(async () => (await statusOf('scout-1')) === 'evicted');

    await client.register({ ...key, record: { ...RECORD, lineage_id: 'scout-2' } });
    await module.onModuleDestroy();
    pass(DAY_MS);
    await expect(client.readWorkgroup(key)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await statusOf('scout-2')).toBe('held');
    await bus.close();
  });
});

const RECORD = {
  platform: 'claude',
  platform_handle: null,
  parent_lineage_id: null,
  role: 'scout',
  scope: 'Fork events.',
  phase: '1A',
  fix_loop_id: null,
  mode: 'fresh-capsule',
  model: 'opus',
  effort: null,
  sensitivity: 'normal',
  spec_hash: 'spec-1',
  scope_hash: 'scope-1',
  tools_hash: 'tools-1',
  permissions_hash: 'permissions-1',
  runtime_prefix_hash: `sha256:${'1'.repeat(64)}`,
  baseline_hash: null,
  capsule_hash: null,
  checkpoint_sha: null,
  resumable: true,
};
