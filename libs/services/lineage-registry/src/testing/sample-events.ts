import {
  LINEAGE_SCHEMA,
  ownedPaths,
  pathReader,
  textWorkspace,
  type LineageRecord,
} from '@palimpsest/context-efficiency';
import type { DecidedTelemetry } from '../domain/workgroup/decision.js';
import type { LineageEvent, WorkgroupEvent } from '../domain/workgroup/workgroup-events.js';

export const FAR = '2099-01-01T00:00:00.000Z';
export const digest = (digit: string) => `sha256:${digit.repeat(64)}`;

/** A record that the contract takes (§5.1). */
export function sampleRecord(lineageId: string, changes: Partial<LineageRecord> = {}): LineageRecord {
  return {
    schema: LINEAGE_SCHEMA,
    lineage_id: lineageId,
    workgroup_id: 'wg',
    platform: 'claude',
    platform_handle: null,
    parent_lineage_id: null,
    role: 'builder',
    scope: 'store',
    phase: '2A',
    fix_loop_id: null,
    mode: 'fresh-capsule',
    model: null,
    effort: null,
    sensitivity: 'normal',
    spec_hash: digest('1'),
    scope_hash: digest('2'),
    tools_hash: digest('3'),
    permissions_hash: digest('4'),
    runtime_prefix_hash: digest('5'),
    baseline_hash: null,
    capsule_hash: null,
    checkpoint_sha: null,
    created_at: '2026-01-01T00:00:00.000Z',
    last_used_at: '2026-01-01T00:00:00.000Z',
    lease_expires_at: FAR,
    resumable: true,
    ...changes,
  };
}

export const opened: WorkgroupEvent = { type: 'palimpsest.workgroup.opened', payload: { phase: '1A' } };

export function seatTaken(fence: number): WorkgroupEvent {
  return { type: 'palimpsest.workgroup.seat_taken', payload: { fence, expiresAt: FAR } };
}

/** A lease until {@link FAR}, unless told otherwise. */
export function registered(lineageId: string, fence: number, expiresAt = FAR): LineageEvent {
  const paths = ownedPaths({ owned_files: [`src/${lineageId}`] }, pathReader(undefined, textWorkspace));
  return {
    type: 'palimpsest.lineage.registered',
    lineageId,
    payload: {
      record: sampleRecord(lineageId, { lease_expires_at: expiresAt }),
      isWriter: true,
      ownedPaths: paths,
      fence,
      grant: 'fresh-capsule',
      depth: 0,
      inheritedFrom: null,
      inheritedRoles: [],
      delegationId: null,
      independentReviewer: false,
    },
  };
}

export function renewed(lineageId: string, fence: number, expiresAt = FAR): LineageEvent {
  return { type: 'palimpsest.lineage.renewed', lineageId, payload: { fence, expiresAt } };
}

export function evicted(lineageId: string): LineageEvent {
  return { type: 'palimpsest.lineage.evicted', lineageId, payload: { reason: 'FINAL_GATE' } };
}

export function refused(lineageId: string, code = 'resume_refused'): LineageEvent {
  const payload = { wanted: 'resume' as const, code, state: 'INVALID', invalidations: ['SCOPE_CHANGED'] };
  return { type: 'palimpsest.lineage.refused', lineageId, payload };
}

export function capsuleRecorded(capsuleHash: string, taskId = 'task-1'): WorkgroupEvent {
  const payload = { capsuleHash, artifactId: 'artifact-1', taskId, phase: '2A' as const, bytes: 4096 };
  return { type: 'palimpsest.capsule.recorded', payload };
}

export function delegationRecorded(
  delegationId: string,
  taskId = 'task-1',
): Extract<WorkgroupEvent, { readonly type: 'palimpsest.delegation.recorded' }> {
  return {
    type: 'palimpsest.delegation.recorded',
    payload: {
      delegationId,
      taskId,
      nodeId: 'node-1',
      phase: '2A',
      role: 'builder',
      ownedPaths: ['src/one'],
      dependenciesReady: true,
      coupling: 'tight',
      sensitivity: 'normal',
      independentReviewer: false,
      expectedReuse: 'high',
      compatibleLineage: 'one',
      lineage: { state: 'HOT', invalidations: [] },
      mode: 'resume',
      reasonCodes: ['HOT_LINEAGE'],
      selectedMode: 'resume',
      rollout: {
        environment: 'production',
        family: 'lineage-reuse',
        stage: 'on',
        executeRecommendation: true,
        canaryBucket: null,
      },
      resultMode: null,
      differences: [],
    },
  };
}

/** One of each type, in an order in which they may happen. */
export const oneOfEach: readonly WorkgroupEvent[] = [
  opened,
  seatTaken(1),
  registered('one', 2),
  registered('two', 3),
  { type: 'palimpsest.workgroup.phase_advanced', payload: { fence: 1, from: '1A', to: '2A' } },
  renewed('one', 2, '2098-01-01T00:00:00.001Z'),
  { type: 'palimpsest.lineage.released', lineageId: 'one', payload: { fence: 2, warmUntil: FAR } },
  refused('one'),
  { type: 'palimpsest.lineage.reconcile_required', lineageId: 'one', payload: {} },
  capsuleRecorded(digest('a')),
  { type: 'palimpsest.lineage.reconciled', lineageId: 'one', payload: { capsuleHash: digest('a') } },
  {
    type: 'palimpsest.lineage.resumed',
    lineageId: 'one',
    payload: { fence: 4, expiresAt: FAR, isWriter: false, ownedPaths: [], differences: ['current.role'] },
  },
  {
    type: 'palimpsest.lineage.result_recorded',
    lineageId: 'one',
    payload: { fence: 4, taskId: 'task-1', mode: 'durable', artifactIds: ['artifact-2'] },
  },
  evicted('two'),
  delegationRecorded('delegation-1'),
  {
    type: 'palimpsest.mcp.health_reported',
    payload: { server: '__proto__', healthy: false, phase: '2A' },
  },
  { type: 'palimpsest.mcp.health_reported', payload: { server: 'docs', healthy: true, phase: '2A' } },
  accepted('artifact-3', 'b'),
  accepted('artifact-4', 'c'),
  { type: 'palimpsest.knowledge.flushed', payload: { gate: 'review', writers: ['one'] } },
  accepted('artifact-5', 'd'),
  {
    type: 'palimpsest.workgroup.approved',
    payload: { fence: 1, subject: 'plan', phase: '2A', finalGate: true },
  },
];

function accepted(artifactId: string, digit: string): WorkgroupEvent {
  const payload = { writer: 'one', artifactId, deltaHash: digit.repeat(64), action: 'batch' as const };
  return { type: 'palimpsest.knowledge.accepted', payload };
}

export function telemetry(id: string): DecidedTelemetry {
  const sections = { logical: {}, billed: {}, outcome: {} };
  const event = { event: 'dispatch_decision', observed_at: '2026-01-01T00:00:00.000Z', ...sections };
  return { environment: 'production', family: 'lineage-reuse', rolloutVersion: 1, id, event };
}
