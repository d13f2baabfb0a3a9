import type { WorkgroupPhase } from '@palimpsest/contracts/registry';
import type { McpHealth } from '@palimpsest/context-efficiency';
import type { Workgroup } from '../domain/workgroup/workgroup.js';
import { lineageOf, type LineageRow } from './lineage-row.js';

/** What `workgroups.state` holds. */
export type WorkgroupState = Pick<
  Workgroup,
  'seat' | 'approvals' | 'finalGate' | 'knowledge' | 'knownDeltas'
> & {
  /** Pairs: a server's name may be one that an object has by itself. */
  readonly mcpHealth: readonly (readonly [string, McpHealth])[];
};

export type WorkgroupRow = {
  readonly sequence: number;
  readonly phase: WorkgroupPhase;
  readonly last_fence: number;
  readonly state: WorkgroupState;
  /** Oldest first. */
  readonly lineages: readonly LineageRow[];
};

export function workgroupOf(workgroupId: string, row: WorkgroupRow): Workgroup {
  const { mcpHealth, ...state } = row.state;
  return {
    ...state,
    workgroupId,
    sequence: row.sequence,
    phase: row.phase,
    lastFence: row.last_fence,
    lineages: new Map(row.lineages.map(lineageOf).map((lineage) => [lineage.lineageId, lineage])),
    mcpHealth: new Map(mcpHealth),
  };
}

/** JSON text of the state; null where it is the one before: it may be long, and is seldom another. */
export function changedStateText(before: Workgroup, after: Workgroup): string | null {
  const { seat, approvals, finalGate, knowledge, knownDeltas, mcpHealth } = after;
  const isSame =
    before.sequence >= 0 &&
    seat === before.seat &&
    approvals === before.approvals &&
    finalGate === before.finalGate &&
    knowledge === before.knowledge &&
    knownDeltas === before.knownDeltas &&
    mcpHealth === before.mcpHealth;
  if (isSame) return null;
  const state: WorkgroupState = {
    seat,
    approvals,
    finalGate,
    knowledge,
    knownDeltas,
    mcpHealth: [...mcpHealth],
  };
  return JSON.stringify(state);
}
