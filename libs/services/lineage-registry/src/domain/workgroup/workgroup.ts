import type { CanonicalPath, LineageRecord, McpHealth } from '@palimpsest/context-efficiency';
import type { ContextMode, EvictionReason, WorkgroupPhase } from '@palimpsest/contracts/registry';

/**
 * A lineage as its workgroup has it. `held`: a holder works under `fence` until `record.lease_expires_at`; `idle`: its worker is
 * warm until then, and nobody works; `evicted`: gone. What it owns it owns while held.
 */
export type Lineage = {
  readonly lineageId: string;
  /** The contract's record (§5.1); its lease is the lineage's, its handle null. */
  readonly record: LineageRecord;
  readonly isWriter: boolean;
  readonly ownedPaths: readonly CanonicalPath[];
  readonly status: 'held' | 'idle' | 'evicted';
  /** Of the last grant. */
  readonly fence: number;
  /** How the last holder got its context. */
  readonly grant: ContextMode;
  /** 0 without a parent. */
  readonly depth: number;
  readonly reconcileRequired: boolean;
  readonly eviction: EvictionReason | null;
  /** Roles of all whose context it began with, its parent's and those behind it; a fresh one has none. */
  readonly inheritedRoles: readonly string[];
  /** Its delegation made it an independent reviewer's. */
  readonly independentReviewer: boolean;
  /** Under which it was handed on, where it was. */
  readonly delegationId: string | null;
  /** Different ones since something else happened to the lineage, oldest first; at most {@link MOST_KNOWN_REFUSALS}. */
  readonly knownRefusals: readonly LineageRefusal[];
};

/** Why somebody did not go on as a lineage, or from it. */
export type LineageRefusal = {
  readonly wanted: 'resume' | 'inherit';
  /** The error's. */
  readonly code: string;
  /** The contract's verdict (§5.3), where the lineage was judged. */
  readonly state: string | null;
  readonly invalidations: readonly string[];
  /** What bars one that is hot (contract §4.4). */
  readonly reasonCodes?: readonly string[];
};

/** The coordinator's: only who holds it advances a phase or approves. Times are ISO 8601 with milliseconds. */
export type Seat = { readonly fence: number; readonly expiresAt: string };

export type Approval = {
  readonly subject: string;
  readonly phase: WorkgroupPhase;
  readonly finalGate: boolean;
  readonly approvedAt: string;
};

export type Workgroup = {
  readonly workgroupId: string;
  /** Of the last event; −1 where there is none: the workgroup is not open. */
  readonly sequence: number;
  readonly phase: WorkgroupPhase;
  /** The greatest fence that was given; the next grant of anything has the next. */
  readonly lastFence: number;
  readonly seat: Seat | null;
  /** The newest 100. */
  readonly approvals: readonly Approval[];
  /** Passed, until the phase is advanced: nobody begins or goes on. */
  readonly finalGate: boolean;
  /** By id: all that are held or idle, and those that a command names. */
  readonly lineages: ReadonlyMap<string, Lineage>;
  /** By server. */
  readonly mcpHealth: ReadonlyMap<string, McpHealth>;
  /** What waits for its writer's gate, oldest first, as artifact ids. */
  readonly knowledge: readonly PendingKnowledge[];
  /** Hashes of the newest 256 deltas. */
  readonly knownDeltas: readonly string[];
};

export type PendingKnowledge = { readonly writer: string; readonly artifactId: string };

/** Held and idle lineages of a workgroup at a time; a further one takes the place of an idle one, or is refused. */
export const MOST_LINEAGES = 128;
/** Writers at a time that go on with context taken over: resumed or inherited (contract §4). */
export const MOST_INHERITED_WRITERS = 2;
/** How deep lineages nest (contract §4). */
export const MOST_DEPTH = 2;
export const DEFAULT_LEASE_MS = 300_000;
export const DEFAULT_WARM_MS = 600_000;
export const MOST_APPROVALS = 100;
export const MOST_KNOWN_DELTAS = 256;
/** Deltas that wait in a workgroup; for a further one whoever has waited for longest is called at once. */
export const MOST_WAITING_DELTAS = 100;
/** Refusals of a lineage that are recorded while nothing else happens to it: so who asks makes no stream grow. */
export const MOST_KNOWN_REFUSALS = 8;
/** Servers whose health a workgroup knows: those that were checked last. */
export const MOST_MCP_SERVERS = 64;

/** Resuming and inheriting: a worker that goes on with context that it did not gather itself. */
export function takesContextOver(mode: ContextMode): boolean {
  return mode === 'resume' || mode === 'inherit-full' || mode === 'inherit-recent';
}

export function closedWorkgroup(workgroupId: string): Workgroup {
  return {
    workgroupId,
    sequence: -1,
    phase: '1A',
    lastFence: 0,
    seat: null,
    approvals: [],
    finalGate: false,
    lineages: new Map(),
    mcpHealth: new Map(),
    knowledge: [],
    knownDeltas: [],
  };
}
