import { measuredPair } from './measured-pair.js';
import type { MakeTarget } from './targets.js';
import type { World } from './world.js';

const NOON = '2031-03-10T12:00:00Z';
const FAMILY = 'capsules';
const CANDIDATE = { candidateVersion: '1.0', corpusVersion: '1', runtimeDigest: `sha256:${'7'.repeat(64)}` };

/** Each its own: what one operation does at a name is in no other's way. */
let names = 0;
const newName = (): string => `bad-input-${(names += 1)}`;

const atNewEnvironment = () => ({ params: { environment: newName() }, freeNames: ['environment'] });

/** Operations that decide by the contract, and those that keep what it decides by. */
export const CONTEXT_TARGETS: Readonly<Record<string, MakeTarget>> = {
  decideContext: async () => ({
    params: { operation: 'route' },
    body: { input: { blocking: true } },
    judgesBody: true,
  }),
  recordCapsule: async (world) => {
    const workgroupId = await openedWorkgroup(world);
    return { params: { workgroupId }, body: { capsule: capsuleOf(workgroupId), maxBytes: 12_288 } };
  },
  readCapsule: async (world) => {
    const workgroupId = await openedWorkgroup(world);
    const url = `/v1/workgroups/${workgroupId}/capsules`;
    const { capsuleHash } = await world.mine.ok(world.mine.post(url, { capsule: capsuleOf(workgroupId) }));
    const absent = { id: `sha256:${'0'.repeat(64)}`, statuses: [404] };
    return {
      params: { workgroupId, capsuleHash: String(capsuleHash) },
      wrongIds: {
        capsuleHash: [{ label: 'of no capsule', ...absent }],
        workgroupId: [{ label: 'of another', id: await openedWorkgroup(world), statuses: [404] }],
      },
    };
  },
  recordTelemetry: async () => ({
    body: {
      environment: newName(),
      events: [{ id: newName(), event: { event: 'worker_usage', observed_at: NOON, provider: 'other' } }],
    },
  }),
  listTelemetry: async () => ({ query: { environment: newName(), after: '0', limit: '10' } }),
  readRollouts: async () => atNewEnvironment(),
  changeStage: async () => ({
    ...atNewEnvironment(),
    body: { family: FAMILY, stage: 'observe', candidate: CANDIDATE, expectedVersion: 0 },
  }),
  selectRollout: async () => ({
    ...atNewEnvironment(),
    body: {
      family: FAMILY,
      actualMode: 'local',
      recommendedMode: 'resume',
      reasonCodes: ['RESUME_COMPATIBLE'],
      taskCorpusId: 'ui-integration-03',
    },
  }),
  promoteRollout: async (world) => {
    const target = atNewEnvironment();
    await reachShadow(world, target.params.environment);
    return {
      ...target,
      body: { family: FAMILY, pairs: [measuredPair], thresholds: {}, measurementEnvelope: {} },
    };
  },
  reportRollout: async () => ({ ...atNewEnvironment(), query: { family: FAMILY } }),
};

async function openedWorkgroup({ mine }: World): Promise<string> {
  const workgroupId = newName();
  await mine.ok(mine.post(`/v1/workgroups/${workgroupId}:coordinate`, {}));
  return workgroupId;
}

function capsuleOf(workgroupId: string): object {
  return {
    schema: 'knowzcode.context-capsule/v1',
    task_id: 'T-9',
    workgroup_id: workgroupId,
    phase: '1A',
    objective: 'Name the fork events.',
    node_ids: ['Fork'],
    owned_files: [],
    read_files: [],
    specs: [],
    approved_decisions: [],
    risks: [],
    constraints: [],
    checkpoint_sha: null,
    failures: [],
    next_action: 'List the event names.',
  };
}

/** Where a promotion may be asked for; each stage is used once, as it has to be. */
async function reachShadow({ mine }: World, environment: string): Promise<void> {
  const url = `/v1/rollouts/${environment}`;
  for (const stage of ['observe', 'shadow']) {
    await mine.ok(mine.post(url, { family: FAMILY, stage, candidate: CANDIDATE }));
    await mine.ok(mine.post(`${url}:select`, { family: FAMILY, actualMode: 'local' }));
  }
}
