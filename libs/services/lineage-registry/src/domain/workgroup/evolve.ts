import { instantOf } from '@palimpsest/context-efficiency';
import { evolveLineage, registeredLineage } from './evolve-lineage.js';
import {
  MOST_APPROVALS,
  MOST_KNOWN_DELTAS,
  MOST_MCP_SERVERS,
  type Lineage,
  type Workgroup,
} from './workgroup.js';
import type { LineageEvent, WorkgroupEvent } from './workgroup-events.js';

/** The database's time, ISO 8601 with milliseconds. */
type Stamp = { readonly recordedAt: string };
type Of<Type extends WorkgroupEvent['type']> = Extract<WorkgroupEvent, { readonly type: Type }> & Stamp;
type Change = Partial<Omit<Workgroup, 'workgroupId' | 'sequence'>>;
type Fold<Type extends WorkgroupEvent['type']> = (workgroup: Workgroup, event: Of<Type>) => Change;
type OwnType = Exclude<WorkgroupEvent['type'], LineageEvent['type']>;

const FOLDS: { readonly [Type in OwnType]: Fold<Type> } = {
  'palimpsest.workgroup.opened': (_, { payload }) => ({ phase: payload.phase }),
  'palimpsest.workgroup.seat_taken': ({ lastFence }, { payload: { fence, expiresAt } }) => ({
    seat: { fence, expiresAt },
    lastFence: Math.max(lastFence, fence),
  }),
  'palimpsest.workgroup.phase_advanced': (_, { payload }) => ({ phase: payload.to, finalGate: false }),
  'palimpsest.workgroup.approved': (workgroup, { payload, recordedAt }) => {
    const { subject, phase, finalGate } = payload;
    return {
      approvals: newest(MOST_APPROVALS, [
        ...workgroup.approvals,
        { subject, phase, finalGate, approvedAt: recordedAt },
      ]),
      finalGate: workgroup.finalGate || finalGate,
    };
  },
  'palimpsest.capsule.recorded': () => ({}),
  'palimpsest.delegation.recorded': () => ({}),
  'palimpsest.mcp.health_reported': ({ mcpHealth }, { payload, recordedAt }) => {
    const { server, healthy, phase } = payload;
    const checkedAt = instantOf(recordedAt) ?? 0;
    const others = [...mcpHealth].filter(([known]) => known !== server);
    const seen = [...others, [server, { healthy, checkedAt, phase }] as const];
    return { mcpHealth: new Map(newest(MOST_MCP_SERVERS, seen)) };
  },
  'palimpsest.knowledge.accepted': ({ knowledge, knownDeltas }, { payload }) => {
    const { writer, artifactId, deltaHash, action } = payload;
    if (action === 'skip') return {};
    const others = knownDeltas.filter((hash) => hash !== deltaHash);
    return {
      knowledge: [...knowledge, { writer, artifactId }],
      knownDeltas: newest(MOST_KNOWN_DELTAS, [...others, deltaHash]),
    };
  },
  'palimpsest.knowledge.flushed': ({ knowledge }, { payload: { writers } }) => ({
    knowledge: knowledge.filter(({ writer }) => !writers.includes(writer)),
  }),
};

/**
 * The workgroup after one more event. What an event does not concern keeps its identity: a store writes only the lineages
 * that are other objects than before. An evicted lineage stays, as evicted.
 */
export function evolve(workgroup: Workgroup, event: WorkgroupEvent & Stamp): Workgroup {
  const change = isLineageEvent(event) ? lineageChange(workgroup, event) : ownChange(workgroup, event);
  return { ...workgroup, ...change, sequence: workgroup.sequence + 1 };
}

function isLineageEvent(event: WorkgroupEvent & Stamp): event is LineageEvent & Stamp {
  return event.type.startsWith('palimpsest.lineage.');
}

function ownChange(workgroup: Workgroup, event: Of<OwnType>): Change {
  // Each fold is under its own type; that the two fit cannot be said of a union of them.
  const fold = FOLDS[event.type] as (workgroup: Workgroup, event: Of<OwnType>) => Change;
  return fold(workgroup, event);
}

function lineageChange(workgroup: Workgroup, event: LineageEvent & Stamp): Change {
  const before = workgroup.lineages.get(event.lineageId);
  const after = lineageAfter(before, event);
  if (!after || after === before) return {};
  return {
    lineages: new Map(workgroup.lineages).set(after.lineageId, after),
    lastFence: Math.max(workgroup.lastFence, after.fence),
  };
}

function lineageAfter(before: Lineage | undefined, event: LineageEvent & Stamp): Lineage | undefined {
  if (event.type === 'palimpsest.lineage.registered') return registeredLineage(event);
  return before && evolveLineage(before, event);
}

function newest<Item>(most: number, items: readonly Item[]): readonly Item[] {
  return items.slice(-most);
}
