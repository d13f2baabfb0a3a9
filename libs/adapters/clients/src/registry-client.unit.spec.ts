import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { REGISTRY_SUBJECTS } from '@palimpsest/contracts/registry';
import {
  ServiceUnavailableError,
  TerminalError,
  type MessageBus,
  type RequestOptions,
} from '@palimpsest/kernel';
import { RegistryClient } from './registry-client.js';

type Asked = { readonly subject: string; readonly body: JsonValue; readonly options?: RequestOptions };
type Name = keyof typeof REGISTRY_SUBJECTS;

let asked: Asked[];
let connected: boolean;
let answer: () => JsonValue;

/** A bus on which somebody answers everything alike. */
const bus = {
  request: (subject: string, body: JsonValue, options?: RequestOptions) => {
    asked.push({ subject, body, ...(options && { options }) });
    return Promise.resolve().then(() => answer());
  },
  isConnected: () => connected,
} as Partial<MessageBus> as MessageBus;

beforeEach(() => {
  asked = [];
  connected = true;
});

const at = '2026-01-02T03:04:05.678Z';
const lease = { fence: 2, expiresAt: at };
const artifactId = `art_${'a'.repeat(32)}`;
const digest = `sha256:${'0'.repeat(64)}`;
const workgroup = {
  workgroupId: 'wg',
  sequence: 1,
  phase: '1A',
  coordinator: { fence: 1, expiresAt: at },
  approvals: [],
  lineages: { held: 0, idle: 0 },
};
const lineage = {
  lineageId: 'l',
  workgroupId: 'wg',
  status: 'held',
  isWriter: true,
  ownedPaths: ['src'],
  lease,
  grant: 'fresh-capsule',
  depth: 0,
  reconcileRequired: false,
  record: { lineage_id: 'l' },
};
const grant = { lineage, ...lease, differences: [] };
const capsule = { capsuleHash: digest, artifactId, taskId: 't', phase: '1A', bytes: 2, recordedAt: at };
const delegation = {
  delegationId: 'd',
  workgroupId: 'wg',
  sequence: 4,
  recordedAt: at,
  taskId: 't',
  nodeId: 'n',
  phase: '1A',
  role: 'builder',
  ownedPaths: [],
  dependenciesReady: true,
  coupling: 'tight',
  sensitivity: 'normal',
  independentReviewer: false,
  expectedReuse: 'none',
  compatibleLineage: null,
  lineage: null,
  mode: 'local',
  reasonCodes: [],
  selectedMode: 'local',
  rollout: {
    environment: 'e',
    family: 'f',
    stage: 'off',
    executeRecommendation: false,
    canaryBucket: null,
  },
  resultMode: null,
  differences: [],
};
const health = { server: 's', action: 'use', reason: 'CACHED', checkedAt: at };
const calls = { calls: [{ writer: 'l', artifactIds: [artifactId] }], waiting: 0 };
const rollout = {
  family: 'f',
  version: 0,
  stage: 'off',
  canaryPercent: null,
  candidate: null,
  since: null,
  active: false,
};
const rung = { stage: 'shadow', canaryPercent: null };
const promotion = {
  environment: 'e',
  family: 'f',
  promoted: false,
  from: rung,
  to: rung,
  gates: [{ gate: 'quality', figure: 1, threshold: 0.9, passed: true }],
  sequence: 3,
  evaluatedAt: at,
};

const ANSWERS: Readonly<Record<Name, JsonObject>> = {
  coordinate: workgroup,
  advancePhase: workgroup,
  approve: workgroup,
  readWorkgroup: workgroup,
  workgroupEvents: { events: [{ sequence: 0, type: 't', recordedAt: at, payload: {} }], next: 0 },
  register: grant,
  resume: grant,
  inherit: grant,
  renew: grant,
  reconcile: lineage,
  release: lineage,
  evict: lineage,
  recordResult: { sequence: 1, mode: 'durable', writeProhibited: false, writes: { vault: true } },
  readLineage: { ...lineage, refusals: [] },
  listLineages: { workgroupId: 'wg', lineages: [lineage] },
  ownedPaths: { workgroupId: 'wg', paths: [] },
  recordCapsule: capsule,
  findCapsule: capsule,
  delegate: delegation,
  listDelegations: { delegations: [delegation] },
  reportMcpHealth: health,
  mcpHealth: health,
  acceptKnowledge: { ...calls, duplicate: true },
  flushKnowledge: calls,
  planLoading: { phase: '1A', steps: [] },
  recordTelemetry: { recorded: ['a'], duplicates: [] },
  listTelemetry: { events: [] },
  readRollouts: { environment: 'e', families: [rollout] },
  changeStage: rollout,
  select: {
    environment: 'e',
    family: 'f',
    stage: 'off',
    canaryPercent: null,
    executeRecommendation: false,
    recordActual: false,
    recordRecommendation: false,
    selectedMode: 'local',
    canaryBucket: null,
  },
  promote: promotion,
  rolloutReport: { rollout, environment: 'e', promotion, observed: [], history: [] },
};

describe.each(Object.keys(REGISTRY_SUBJECTS) as Name[])('%s', (name) => {
  const registry = new RegistryClient(bus);
  const command = { tenantId: 'acme', workgroupId: 'wg' };
  const call = (): Promise<unknown> =>
    (registry[name] as (body: object) => Promise<unknown>).call(registry, command);

  it('asks its own subject, with time enough, and gives the answer', async () => {
    answer = () => ANSWERS[name];
    expect(await call()).toEqual(ANSWERS[name]);
    const options = { timeoutMs: name === 'promote' ? 30_000 : 5000 };
    expect(asked).toEqual([{ subject: REGISTRY_SUBJECTS[name], body: command, options }]);
  });

  it('refuses an answer of a shape it does not know, without repeating it', async () => {
    answer = () => ({ ...ANSWERS[name], surprise: 'hidden' });
    const refusal = await call().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'internal_error', details: { subject: REGISTRY_SUBJECTS[name] } });
    expect(JSON.stringify(refusal)).not.toContain('hidden');
  });

  it('passes refusals on', async () => {
    answer = () => {
      throw new TerminalError('stale_fence', 'Not the fence.', { details: { fence: 3 } });
    };
    await expect(call()).rejects.toMatchObject({
      code: 'stale_fence',
      retryable: false,
      details: { fence: 3 },
    });
  });

  it('does not wait for a bus that is away', async () => {
    connected = false;
    await expect(call()).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(asked).toEqual([]);
  });
});
