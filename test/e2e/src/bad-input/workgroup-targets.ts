import type { ApiClient } from '../api-client.js';
import type { Target, WrongId } from './targets.js';
import type { World } from './world.js';

/** Outlasts the suite: a lease that ends writes tables. */
const LEASE = { leaseMs: 86_400_000 };
const DIGEST = `sha256:${'0'.repeat(64)}`;

const FACTS = {
  platform: 'other',
  role: 'analyst',
  fix_loop_id: null,
  model: null,
  effort: null,
  sensitivity: 'normal',
  spec_hash: 'a',
  scope_hash: 'b',
  tools_hash: 'c',
  permissions_hash: 'd',
  runtime_prefix_hash: DIGEST,
  baseline_hash: null,
  capsule_hash: null,
  checkpoint_sha: null,
};

function recordOf(lineageId: string): object {
  const mode = 'fresh-capsule';
  return { ...FACTS, lineage_id: lineageId, parent_lineage_id: null, scope: 's', mode, resumable: true };
}

const currentIn = (workgroupId: string): object => ({ ...FACTS, workgroup_id: workgroupId, phase: '1A' });

let made = 0;
const newId = (kind: string): string => `${kind}.${(made += 1)}`;

/** A workgroup; fence 1 holds its seat. */
async function workgroupOf(api: ApiClient): Promise<string> {
  const workgroupId = newId('wg');
  await api.ok(api.post(`/v1/workgroups/${workgroupId}:coordinate`, LEASE));
  return workgroupId;
}

type Held = { readonly workgroupId: string; readonly lineageId: string };

/** A lineage that fence 2 holds, in a workgroup of its own. */
async function heldBy(api: ApiClient): Promise<Held> {
  const workgroupId = await workgroupOf(api);
  const lineageId = newId('l');
  const body = { record: recordOf(lineageId), ...LEASE };
  await api.ok(api.post(`/v1/workgroups/${workgroupId}/lineages`, body));
  return { workgroupId, lineageId };
}

const absent = (label: string, id: string): WrongId => ({ label, id, statuses: [404] });

async function onWorkgroup(world: World, body?: object): Promise<Target> {
  return {
    params: { workgroupId: await workgroupOf(world.mine) },
    wrongIds: { workgroupId: [absent('of another tenant', await workgroupOf(world.theirs))] },
    ...(body && { body }),
  };
}

async function onLineage(world: World, body?: (held: Held) => object): Promise<Target> {
  const held = await heldBy(world.mine);
  const foreign = await heldBy(world.theirs);
  return {
    params: { lineageId: held.lineageId },
    wrongIds: { lineageId: [absent('of another tenant', foreign.lineageId)] },
    ...(body && { body: body(held) }),
  };
}

async function onIdleLineage(world: World): Promise<Target> {
  const target = await onLineage(world, ({ workgroupId }) => ({ current: currentIn(workgroupId), ...LEASE }));
  const url = `/v1/lineages/${target.params?.['lineageId']}:release`;
  await world.mine.ok(world.mine.post(url, { fence: 2, warmMs: LEASE.leaseMs }));
  return target;
}

async function reconciling(world: World): Promise<Target> {
  const { mine } = world;
  const { workgroupId, lineageId } = await heldBy(mine);
  const capsule = {
    schema: 'knowzcode.context-capsule/v1',
    task_id: 'T-1',
    workgroup_id: workgroupId,
    phase: '1A',
    objective: 'o',
    node_ids: ['n'],
    owned_files: [],
    read_files: [],
    specs: [],
    approved_decisions: [],
    risks: [],
    constraints: [],
    checkpoint_sha: null,
    failures: [],
    next_action: 'a',
  };
  const { capsuleHash } = await mine.ok(mine.post(`/v1/workgroups/${workgroupId}/capsules`, { capsule }));
  return { params: { lineageId }, body: { fence: 2, capsuleHash } };
}

async function handingIn(world: World): Promise<Target> {
  const { workgroupId, lineageId } = await heldBy(world.mine);
  const foreign = await heldBy(world.theirs);
  return {
    params: { workgroupId },
    wrongIds: { workgroupId: [absent('of another tenant', foreign.workgroupId)] },
    body: {
      lineageId,
      fence: 2,
      delta: { title: 'a', content: 'b' },
      previousHashes: ['c'],
      severity: 'LOW',
    },
  };
}

const DELEGATION = {
  taskId: 't',
  nodeId: 'n',
  role: 'analyst',
  dependenciesReady: true,
  coupling: 'tight',
  sensitivity: 'normal',
  independentReviewer: false,
  expectedReuse: 'none',
  environment: 'bad-input',
  family: 'capsules',
};

/** Of workgroups, lineages and delegations. */
export const WORKGROUP_TARGETS: Readonly<Record<string, (world: World) => Promise<Target>>> = {
  coordinateWorkgroup: async () => ({
    params: { workgroupId: newId('wg') },
    body: { ...LEASE, phase: '1A' },
    freeNames: ['workgroupId'],
  }),
  advanceWorkgroup: (world) => onWorkgroup(world, { fence: 1, phase: '1B' }),
  approveInWorkgroup: (world) => onWorkgroup(world, { fence: 1, subject: 'plan' }),
  readWorkgroup: (world) => onWorkgroup(world),
  readWorkgroupEvents: async (world) => ({
    ...(await onWorkgroup(world)),
    query: { after: '-1', limit: '10' },
  }),
  readOwnedPaths: async (world) => ({ ...(await onWorkgroup(world)), query: { after: 'src/a' } }),
  reportMcpHealth: (world) => onWorkgroup(world, { server: 'search', healthy: true }),
  readMcpHealth: async (world) => ({
    ...(await onWorkgroup(world)),
    query: { server: 'search', ttlMinutes: '10' },
  }),
  acceptKnowledge: handingIn,
  flushKnowledge: (world) => onWorkgroup(world, { gate: '1A' }),
  planLoading: (world) => onWorkgroup(world, { output: 'durable' }),
  registerLineage: (world) =>
    onWorkgroup(world, { record: recordOf(newId('l')), ownedFiles: ['src'], isWriter: true, ...LEASE }),
  listLineages: async (world) => ({
    ...(await onWorkgroup(world)),
    query: { evicted: 'true', after: 'l.1' },
  }),
  readLineage: (world) => onLineage(world),
  resumeLineage: onIdleLineage,
  inheritLineage: (world) =>
    onLineage(world, ({ workgroupId }) => ({
      mode: 'inherit-full',
      record: recordOf(newId('l')),
      current: currentIn(workgroupId),
      ...LEASE,
    })),
  renewLineage: (world) => onLineage(world, () => ({ fence: 2, ...LEASE })),
  reconcileLineage: reconciling,
  releaseLineage: (world) => onLineage(world, () => ({ fence: 2, warmMs: LEASE.leaseMs })),
  evictLineage: (world) => onLineage(world, () => ({ reason: 'INCOMPATIBLE' })),
  recordResult: (world) => onLineage(world, () => ({ fence: 2, taskId: 't', policy: {} })),
  delegate: (world) => onWorkgroup(world, DELEGATION),
  listDelegations: async (world) => ({ ...(await onWorkgroup(world)), query: { after: '-1', limit: '10' } }),
};
