import type { LineageRecord } from '@palimpsest/context-efficiency';
import type { Delegate } from '@palimpsest/contracts/registry';
import type { Delegation } from '../domain/delegation/decide-delegation.js';
import { closedWorkgroup, type Lineage, type Workgroup } from '../domain/workgroup/workgroup.js';
import type { RolloutStanding } from '../domain/rollout/rollout.js';
import { sampleRecord } from './sample-events.js';

export const NOW = Date.parse('2031-03-10T12:00:00.000Z');

/** Current facts (contract §5.2) under which the sample record is hot in phase 2A of the workgroup `wg`. */
export const CURRENT = currentOf(sampleRecord('any'));

function currentOf(record: LineageRecord): NonNullable<Delegate['current']> {
  const { platform, workgroup_id, role, phase, fix_loop_id, spec_hash, scope_hash, checkpoint_sha } = record;
  const { model, effort, runtime_prefix_hash, baseline_hash, capsule_hash } = record;
  const { tools_hash, permissions_hash, sensitivity } = record;
  return {
    ...{ platform, workgroup_id, role, phase, fix_loop_id, spec_hash, scope_hash, checkpoint_sha },
    ...{ model, effort, runtime_prefix_hash, baseline_hash, capsule_hash },
    ...{ tools_hash, permissions_hash, sensitivity },
  };
}

/** An idle, hot writer of `src/<id>`. */
export function lineageCalled(lineageId: string, change: Partial<Lineage> = {}): Lineage {
  return {
    lineageId,
    record: sampleRecord(lineageId),
    isWriter: true,
    ownedPaths: [`src/${lineageId}`],
    status: 'idle',
    fence: 1,
    grant: 'fresh-capsule',
    depth: 0,
    reconcileRequired: false,
    eviction: null,
    inheritedRoles: [],
    independentReviewer: false,
    delegationId: null,
    knownRefusals: [],
    ...change,
  };
}

/** Open, in phase 2A, after five events. */
export function workgroupOf(...lineages: readonly Lineage[]): Workgroup {
  return {
    ...closedWorkgroup('wg'),
    sequence: 4,
    phase: '2A',
    lineages: new Map(lineages.map((lineage) => [lineage.lineageId, lineage])),
  };
}

/** A reader's unit that nothing speaks against, alone. */
export const READER: Delegate = {
  tenantId: 'acme',
  workgroupId: 'wg',
  taskId: 'T-1',
  nodeId: 'Index',
  role: 'indexer',
  dependenciesReady: true,
  coupling: 'independent',
  sensitivity: 'normal',
  independentReviewer: false,
  expectedReuse: 'low',
  environment: 'staging',
  family: 'lineage-reuse',
};

/** A builder's, of `src/new`. */
export const WRITER: Delegate = { ...READER, role: 'builder', ownedFiles: ['src/new'] };

/** The sample lineage's own work goes on. */
export const GOING_ON: Delegate = { ...READER, role: 'builder', lineageId: 'one', current: CURRENT };

export function rolloutAt(
  stage: RolloutStanding['stage'],
  canaryPercent: number | null = null,
): RolloutStanding {
  return { environment: 'staging', family: 'lineage-reuse', version: 3, stage, canaryPercent };
}

export function delegation(command: Delegate, rollout: RolloutStanding = rolloutAt('on')): Delegation {
  return { command, rollout, delegationId: `dlg_${'0a'.repeat(16)}` };
}
