import type {
  CapsuleView,
  DelegationView,
  LineageGrant,
  LineageView,
  RolloutView,
  WorkgroupView,
} from '@palimpsest/contracts/registry';
import type { Registry } from '../ports.js';

/** By method, from what it was asked. */
export type RegistryAnswers = {
  readonly [Name in keyof Registry]: (
    asked: Parameters<Registry[Name]>[0],
  ) => Awaited<ReturnType<Registry[Name]>>;
};

const recordedAt = '2026-01-02T03:04:05.678Z';
const expiresAt = '2026-01-02T03:09:05.678Z';

/** Something of the right shape to every question. */
export function plausibleAnswers(): RegistryAnswers {
  return {
    coordinate: ({ workgroupId, phase }) => workgroup(workgroupId, phase),
    advancePhase: ({ workgroupId, phase }) => workgroup(workgroupId, phase),
    approve: ({ workgroupId }) => workgroup(workgroupId),
    readWorkgroup: ({ workgroupId }) => workgroup(workgroupId),
    workgroupEvents: () => ({
      events: [{ sequence: 0, type: 'palimpsest.workgroup.opened', recordedAt, payload: { phase: '1A' } }],
    }),
    ...lineageAnswers,
    ...workAnswers,
    ...telemetryAnswers(),
    ...rolloutAnswers,
  };
}

const lineageAnswers = {
  register: ({ workgroupId, record }) => granted(lineage(nameIn(record), workgroupId)),
  resume: ({ lineageId }) => granted(lineage(lineageId)),
  inherit: ({ record }) => granted(lineage(nameIn(record))),
  renew: ({ lineageId }) => granted(lineage(lineageId)),
  reconcile: ({ lineageId }) => lineage(lineageId),
  release: ({ lineageId }) => ({ ...lineage(lineageId), status: 'idle' }),
  evict: ({ lineageId, reason }) => ({ ...lineage(lineageId), status: 'evicted', eviction: reason }),
  recordResult: () => ({ sequence: 5, mode: 'durable', writeProhibited: false, writes: { vault: true } }),
  readLineage: ({ lineageId }) => ({ ...lineage(lineageId), refusals: [] }),
  listLineages: ({ workgroupId }) => ({ workgroupId, lineages: [lineage('l-1', workgroupId)] }),
  ownedPaths: ({ workgroupId }) => ({ workgroupId, paths: [] }),
} satisfies Partial<RegistryAnswers>;

const workAnswers = {
  recordCapsule: ({ capsuleHash, artifactId, taskId, phase, bytes }) =>
    capsule({ capsuleHash, artifactId, taskId, phase, bytes }),
  findCapsule: ({ capsuleHash }) =>
    capsule({ capsuleHash, artifactId: `art_${'a'.repeat(32)}`, taskId: 't-1', phase: '1A', bytes: 2 }),
  delegate: (asked) => delegation(asked),
  listDelegations: () => ({ delegations: [] }),
  reportMcpHealth: ({ server }) => ({ server, action: 'use', reason: 'CACHED', checkedAt: recordedAt }),
  mcpHealth: ({ server }) => ({ server, action: 'check', reason: 'UNKNOWN' }),
  acceptKnowledge: () => ({ calls: [], waiting: 1, duplicate: false }),
  flushKnowledge: () => ({ calls: [], waiting: 0 }),
  planLoading: () => ({ phase: '1A', steps: [] }),
} satisfies Partial<RegistryAnswers>;

function telemetryAnswers(): Pick<RegistryAnswers, 'recordTelemetry' | 'listTelemetry'> {
  return {
    recordTelemetry: ({ events }) => ({ recorded: events.map(({ id }) => id), duplicates: [] }),
    listTelemetry: () => ({ events: [] }),
  };
}

const rolloutAnswers = {
  readRollouts: ({ environment }) => ({ environment, families: [rollout('capsules')] }),
  changeStage: ({ family, stage, canaryPercent, candidate }) => ({
    ...rollout(family),
    version: 1,
    stage,
    canaryPercent: canaryPercent ?? null,
    candidate: candidate ?? null,
    since: recordedAt,
  }),
  select: ({ environment, family, actualMode }) => ({
    environment,
    family,
    stage: 'off',
    canaryPercent: null,
    executeRecommendation: false,
    recordActual: false,
    recordRecommendation: false,
    selectedMode: actualMode,
    canaryBucket: null,
  }),
  promote: ({ environment, family }) => ({
    environment,
    family,
    promoted: true,
    from: { stage: 'shadow', canaryPercent: null },
    to: { stage: 'canary', canaryPercent: 10 },
    gates: [],
    sequence: 3,
    evaluatedAt: recordedAt,
  }),
  rolloutReport: ({ environment, family }) => ({
    environment,
    rollout: rollout(family),
    promotion: null,
    observed: [],
    history: [],
  }),
} satisfies Partial<RegistryAnswers>;

/** The id that a record gives. */
function nameIn({ lineage_id: name }: Readonly<Record<string, unknown>>): string {
  return typeof name === 'string' ? name : 'unnamed';
}

function workgroup(workgroupId: string, phase: WorkgroupView['phase'] = '1A'): WorkgroupView {
  const coordinator = { fence: 1, expiresAt };
  return { workgroupId, sequence: 1, phase, coordinator, approvals: [], lineages: { held: 1, idle: 0 } };
}

function lineage(lineageId: string, workgroupId = 'wg.1'): LineageView {
  return {
    lineageId,
    workgroupId,
    status: 'held',
    isWriter: false,
    ownedPaths: [],
    lease: { fence: 2, expiresAt },
    grant: 'fresh-capsule',
    depth: 0,
    reconcileRequired: false,
    record: { lineage_id: lineageId },
  };
}

function granted(view: LineageView): LineageGrant {
  return { lineage: view, fence: 2, expiresAt, differences: [] };
}

function capsule(known: Omit<CapsuleView, 'recordedAt'>): CapsuleView {
  return { ...known, recordedAt };
}

function delegation(asked: Parameters<Registry['delegate']>[0]): DelegationView {
  const { workgroupId, taskId, nodeId, role, dependenciesReady, coupling } = asked;
  const { sensitivity, independentReviewer, expectedReuse, environment, family } = asked;
  return {
    delegationId: 'dlg_1',
    workgroupId,
    sequence: 4,
    recordedAt,
    taskId,
    nodeId,
    phase: '1A',
    role,
    ownedPaths: [],
    dependenciesReady,
    coupling,
    sensitivity,
    independentReviewer,
    expectedReuse,
    compatibleLineage: null,
    lineage: null,
    mode: 'fresh-capsule',
    reasonCodes: [],
    selectedMode: 'fresh-capsule',
    rollout: { environment, family, stage: 'off', executeRecommendation: false, canaryBucket: null },
    resultMode: null,
    differences: [],
  };
}

function rollout(family: string): RolloutView {
  return {
    family,
    version: 0,
    stage: 'off',
    canaryPercent: null,
    candidate: null,
    since: null,
    active: false,
  };
}
