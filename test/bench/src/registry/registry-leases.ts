import { REGISTRY_SUBJECTS, type LineageGrant } from '@palimpsest/contracts/registry';
import type { JsonValue } from '@palimpsest/contracts';
import { registryRequests, type RegistryPorts } from '@palimpsest/lineage-registry';
import type { Contender } from './contender.js';

const FACTS = {
  platform: 'claude',
  role: 'scout',
  phase: '2A',
  fix_loop_id: null,
  spec_hash: 'spec-1',
  scope_hash: 'scope-1',
  checkpoint_sha: null,
  model: 'opus',
  effort: null,
  runtime_prefix_hash: `sha256:${'1'.repeat(64)}`,
  baseline_hash: null,
  capsule_hash: null,
  tools_hash: 'tools-1',
  permissions_hash: 'permissions-1',
  sensitivity: 'normal',
};

/** The registry's own handlers, without a bus: a worker that is warm is resumed under its facts, and released again. */
export function registryLeases(ports: RegistryPorts): Contender {
  const handlers = Object.assign({}, ...registryRequests(ports)) as ReturnType<
    typeof registryRequests
  >[number];
  const ask = async (name: keyof typeof REGISTRY_SUBJECTS, body: object): Promise<JsonValue> =>
    (await handlers[REGISTRY_SUBJECTS[name]]?.({ tenantId: 'bench', ...body })) ?? null;
  return {
    name: 'lineage-registry',
    client: async ({ workgroupId, clientId: lineageId }) => {
      await ask('coordinate', { workgroupId, takeOver: true });
      const record = {
        ...FACTS,
        lineage_id: lineageId,
        platform_handle: null,
        parent_lineage_id: null,
        scope: 'Fork events.',
        mode: 'fresh-capsule',
        resumable: true,
      };
      const { fence } = (await ask('register', { workgroupId, record })) as LineageGrant;
      await ask('release', { lineageId, fence });
      const current = { ...FACTS, workgroup_id: workgroupId };
      return async () => {
        const resumed = (await ask('resume', { lineageId, current })) as LineageGrant;
        await ask('release', { lineageId, fence: resumed.fence });
      };
    },
  };
}
