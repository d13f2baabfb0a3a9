import type { WORKGROUP_OPERATIONS } from '../http/workgroup-operations.js';
import type { DELEGATION_OPERATIONS } from '../http/delegation-operations.js';
import type { LINEAGE_OPERATIONS } from '../http/lineage-operations.js';

type Operations = typeof WORKGROUP_OPERATIONS & typeof LINEAGE_OPERATIONS & typeof DELEGATION_OPERATIONS;

/** Operations that change something. */
export type WorkgroupPost = {
  [Name in keyof Operations]: Operations[Name]['method'] extends 'POST' ? Name : never;
}[keyof Operations];

export type SampleRequest = {
  readonly url: string;
  readonly json: Readonly<Record<string, unknown>>;
  /** A further body that the operation takes. */
  readonly other: Readonly<Record<string, unknown>>;
};

const digest = `sha256:${'0'.repeat(64)}`;

/** A record of the contract (§5.1), but for what is the registry's. */
export const LINEAGE_RECORD = {
  lineage_id: 'l.1',
  platform: 'claude',
  platform_handle: null,
  parent_lineage_id: null,
  role: 'builder',
  scope: 'parsers',
  phase: '2A',
  fix_loop_id: null,
  mode: 'fresh-capsule',
  model: 'm-1',
  effort: 'high',
  sensitivity: 'normal',
  spec_hash: 'spec-1',
  scope_hash: 'scope-1',
  tools_hash: 'tools-1',
  permissions_hash: 'permissions-1',
  runtime_prefix_hash: digest,
  baseline_hash: null,
  capsule_hash: null,
  checkpoint_sha: null,
  resumable: true,
};

const current = { platform: 'claude', role: 'builder', phase: '2A' };

export const KNOWLEDGE_DELTA = {
  category: 'Decision',
  title: 'Stream owner',
  content: 'One writer per stream.',
};

const delegation = {
  taskId: 't-1',
  nodeId: 'n-1',
  role: 'builder',
  dependenciesReady: true,
  coupling: 'tight',
  sensitivity: 'normal',
  independentReviewer: false,
  expectedReuse: 'high',
  environment: 'production',
  family: 'capsules',
};

const workgroup = '/v1/workgroups/wg.1';
const lineage = '/v1/lineages/l.1';

/** A request that each operation takes. */
export const WORKGROUP_REQUESTS: Readonly<Record<WorkgroupPost, SampleRequest>> = {
  coordinateWorkgroup: {
    url: `${workgroup}:coordinate`,
    json: { leaseMs: 60_000, phase: '1A' },
    other: { takeOver: true },
  },
  advanceWorkgroup: {
    url: `${workgroup}:advance`,
    json: { fence: 1, phase: '1B' },
    other: { fence: 1, phase: '2A' },
  },
  approveInWorkgroup: {
    url: `${workgroup}:approve`,
    json: { fence: 1, subject: 'plan' },
    other: { fence: 1, subject: 'plan', finalGate: true },
  },
  registerLineage: {
    url: `${workgroup}/lineages`,
    json: { record: LINEAGE_RECORD, ownedFiles: ['src/parsers'], isWriter: true, leaseMs: 60_000 },
    other: { record: LINEAGE_RECORD },
  },
  resumeLineage: {
    url: `${lineage}:resume`,
    json: { current, record: LINEAGE_RECORD },
    other: { current },
  },
  inheritLineage: {
    url: `${lineage}:inherit`,
    json: { mode: 'inherit-full', record: { ...LINEAGE_RECORD, lineage_id: 'l.2' }, current },
    other: { mode: 'inherit-recent', record: { ...LINEAGE_RECORD, lineage_id: 'l.2' }, current },
  },
  renewLineage: { url: `${lineage}:renew`, json: { fence: 2, leaseMs: 60_000 }, other: { fence: 2 } },
  reconcileLineage: {
    url: `${lineage}:reconcile`,
    json: { fence: 2, capsuleHash: digest },
    other: { capsuleHash: digest },
  },
  releaseLineage: {
    url: `${lineage}:release`,
    json: { fence: 2, warmMs: 60_000, scopeComplete: false, likelyContinuation: true },
    other: { fence: 2 },
  },
  evictLineage: {
    url: `${lineage}:evict`,
    json: { reason: 'INCOMPATIBLE' },
    other: { reason: 'CAPACITY_PRESSURE' },
  },
  recordResult: {
    url: `${lineage}/results`,
    json: { fence: 2, taskId: 't-1', policy: { material: true }, artifactIds: [`art_${'a'.repeat(32)}`] },
    other: { fence: 2, taskId: 't-1', policy: {} },
  },
  delegate: {
    url: `${workgroup}/delegations`,
    json: { ...delegation, lineageId: 'l.1', current, routing: { trivial: false }, resultPolicy: {} },
    other: delegation,
  },
  reportMcpHealth: {
    url: `${workgroup}/mcp-health`,
    json: { server: 'search', healthy: true },
    other: { server: 'search', healthy: false },
  },
  acceptKnowledge: {
    url: `${workgroup}/knowledge-deltas`,
    json: { lineageId: 'l.1', fence: 2, delta: KNOWLEDGE_DELTA },
    other: { lineageId: 'l.1', fence: 2, delta: KNOWLEDGE_DELTA, explicitSave: true },
  },
  flushKnowledge: {
    url: `${workgroup}/knowledge-deltas:flush`,
    json: { gate: '2A' },
    other: { gate: '2B' },
  },
  planLoading: {
    url: `${workgroup}/loading-plan`,
    json: { capsuleHash: digest, decisions: { project: true, architecture: false } },
    other: { output: 'durable' },
  },
};
