import type { LineageRecord } from '@palimpsest/context-efficiency';
import type {
  ContextMode,
  DelegationView,
  EvictionReason,
  WorkgroupPhase,
} from '@palimpsest/contracts/registry';
import type { LineageRefusal } from './workgroup.js';

/** What happened in a workgroup. No time of its own: the store stamps each with the database's. No content either. */
export type WorkgroupEvent =
  | { readonly type: 'palimpsest.workgroup.opened'; readonly payload: { readonly phase: WorkgroupPhase } }
  | {
      /** Taken, or kept for longer where the fence is the one that held it. */
      readonly type: 'palimpsest.workgroup.seat_taken';
      readonly payload: { readonly fence: number; readonly expiresAt: string };
    }
  | {
      readonly type: 'palimpsest.workgroup.phase_advanced';
      readonly payload: {
        readonly fence: number;
        readonly from: WorkgroupPhase;
        readonly to: WorkgroupPhase;
      };
    }
  | {
      readonly type: 'palimpsest.workgroup.approved';
      readonly payload: {
        readonly fence: number;
        readonly subject: string;
        readonly phase: WorkgroupPhase;
        readonly finalGate: boolean;
      };
    }
  | LineageEvent
  | {
      readonly type: 'palimpsest.capsule.recorded';
      readonly payload: {
        readonly capsuleHash: string;
        readonly artifactId: string;
        readonly taskId: string;
        readonly phase: WorkgroupPhase;
        readonly bytes: number;
      };
    }
  | {
      readonly type: 'palimpsest.delegation.recorded';
      /** The view without what the event's own place says. */
      readonly payload: Omit<DelegationView, 'workgroupId' | 'sequence' | 'recordedAt'>;
    }
  | {
      readonly type: 'palimpsest.mcp.health_reported';
      readonly payload: {
        readonly server: string;
        readonly healthy: boolean;
        readonly phase: WorkgroupPhase;
      };
    }
  | {
      readonly type: 'palimpsest.knowledge.accepted';
      readonly payload: {
        readonly writer: string;
        readonly artifactId: string;
        readonly deltaHash: string;
        readonly action: 'skip' | 'amend' | 'update' | 'flush' | 'batch';
      };
    }
  | {
      /** One call for each writer named; `gate` is null where a delta could not wait. */
      readonly type: 'palimpsest.knowledge.flushed';
      readonly payload: { readonly gate: string | null; readonly writers: readonly string[] };
    };

type LineageEventOf<Name extends string, Payload> = {
  readonly type: `palimpsest.lineage.${Name}`;
  readonly lineageId: string;
  readonly payload: Payload;
};

export type LineageEvent =
  | LineageEventOf<
      'registered',
      {
        /** With its lease. */
        readonly record: LineageRecord;
        readonly isWriter: boolean;
        readonly ownedPaths: readonly string[];
        readonly fence: number;
        readonly grant: ContextMode;
        readonly depth: number;
        /** Whose context it began with; null for a fresh one. */
        readonly inheritedFrom: string | null;
        /** Of the one it began with, and of all whose context that one has. */
        readonly inheritedRoles: readonly string[];
        readonly delegationId: string | null;
        /** By its delegation. */
        readonly independentReviewer: boolean;
      }
    >
  | LineageEventOf<
      'resumed',
      {
        readonly fence: number;
        readonly expiresAt: string;
        readonly isWriter: boolean;
        readonly ownedPaths: readonly string[];
        readonly differences: readonly string[];
      }
    >
  /** Between two other events of the lineage different ones only, and at most 8. */
  | LineageEventOf<'refused', LineageRefusal>
  | LineageEventOf<'reconcile_required', Record<string, never>>
  | LineageEventOf<'renewed', { readonly fence: number; readonly expiresAt: string }>
  | LineageEventOf<'reconciled', { readonly capsuleHash: string }>
  | LineageEventOf<'released', { readonly fence: number; readonly warmUntil: string }>
  | LineageEventOf<'evicted', { readonly reason: EvictionReason }>
  | LineageEventOf<
      'result_recorded',
      {
        readonly fence: number;
        readonly taskId: string;
        readonly mode: 'ephemeral' | 'durable' | 'artifact';
        readonly artifactIds: readonly string[];
      }
    >;

/** An event at its place, at the database's time (ISO 8601 with milliseconds). */
export type RecordedWorkgroupEvent = WorkgroupEvent & {
  readonly sequence: number;
  readonly recordedAt: string;
};
