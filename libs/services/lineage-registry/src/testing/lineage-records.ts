import type { Facts } from '@palimpsest/context-efficiency';
import type {
  DelegationView,
  InheritLineage,
  RegisterLineage,
  ResumeLineage,
} from '@palimpsest/contracts/registry';

export const TENANT = 'acme';
export const WORKGROUP = 'wg-1';

export const NOON = Date.parse('2031-03-10T12:00:00.000Z');

export function digest(letter: string): string {
  return `sha256:${letter.repeat(64)}`;
}

/** What is compared (contract §5.2), without what the registry says of it. */
const COMPARED = {
  platform: 'claude',
  role: 'indexer',
  fix_loop_id: null,
  spec_hash: 'spec-1',
  scope_hash: 'scope-1',
  checkpoint_sha: null,
  model: 'opus',
  effort: null,
  runtime_prefix_hash: digest('1'),
  baseline_hash: null,
  capsule_hash: digest('2'),
  tools_hash: 'tools-1',
  permissions_hash: 'permissions-1',
  sensitivity: 'normal',
} as const;

/** Facts under which a lineage of {@link recordFacts} is hot in a workgroup in phase 1A. */
export function currentFacts(changes: Facts = {}): RegisterLineage['record'] {
  return { ...COMPARED, workgroup_id: WORKGROUP, phase: '1A', ...changes };
}

/** A record as a caller gives it: what is the registry's is left out. */
export function recordFacts(lineageId: string, changes: Facts = {}): RegisterLineage['record'] {
  return {
    ...COMPARED,
    lineage_id: lineageId,
    parent_lineage_id: null,
    scope: 'Fork events.',
    mode: 'fresh-capsule',
    resumable: true,
    ...changes,
  };
}

export function registerCommand(lineageId: string, changes: Partial<RegisterLineage> = {}): RegisterLineage {
  return { tenantId: TENANT, workgroupId: WORKGROUP, record: recordFacts(lineageId), ...changes };
}

export function resumeCommand(lineageId: string, changes: Partial<ResumeLineage> = {}): ResumeLineage {
  return { tenantId: TENANT, lineageId, current: currentFacts(), ...changes };
}

export function inheritCommand(
  lineageId: string,
  childId: string,
  changes: Partial<InheritLineage> = {},
): InheritLineage {
  const { mode = 'inherit-recent' } = changes;
  const record = recordFacts(childId, { mode, parent_lineage_id: lineageId });
  return { tenantId: TENANT, lineageId, mode, record, current: currentFacts(), ...changes };
}

/** A delegation of a fresh writer's unit, of the folder `src`. */
export function delegationView(changes: Partial<DelegationView> = {}): DelegationView {
  return {
    delegationId: 'delegation-1',
    workgroupId: WORKGROUP,
    sequence: 1,
    recordedAt: new Date(NOON).toISOString(),
    taskId: 'task',
    nodeId: 'node',
    phase: '1A',
    role: 'indexer',
    ownedPaths: ['src'],
    dependenciesReady: true,
    coupling: 'independent',
    sensitivity: 'normal',
    independentReviewer: false,
    expectedReuse: 'low',
    compatibleLineage: null,
    lineage: null,
    mode: 'fresh-capsule',
    reasonCodes: ['INDEPENDENT_CAPSULE'],
    selectedMode: 'fresh-capsule',
    rollout: {
      environment: 'staging',
      family: 'lineage-reuse',
      stage: 'off',
      executeRecommendation: false,
      canaryBucket: null,
    },
    resultMode: null,
    differences: [],
    ...changes,
  };
}
