import type { CapsuleView, DelegationView } from '@palimpsest/contracts/registry';
import type { RolloutStanding } from '../domain/rollout/rollout.js';
import type { Decision } from '../domain/workgroup/decision.js';
import type { Lineage, Workgroup } from '../domain/workgroup/workgroup.js';
import type { RecordedWorkgroupEvent, WorkgroupEvent } from '../domain/workgroup/workgroup-events.js';

export type WorkgroupChange = {
  readonly tenantId: string;
  readonly workgroupId: string;
  /** The same id again: the same answer or refusal, nothing decided anew. In another workgroup it is another command. */
  readonly commandId?: string | undefined;
  /** Wanted in the state though they may be evicted. */
  readonly lineageIds?: readonly string[];
  /** Read under the same transaction, for `DecisionMoment.rollout`. */
  readonly rollout?: { readonly environment: string; readonly family: string };
};

export type DecisionMoment = {
  /** The database's clock once the workgroup is locked, in milliseconds: no client's, no process's. */
  readonly now: number;
  /** Present where the change asks for it. */
  readonly rollout?: RolloutStanding;
};

/** A state, and the database's clock at which it was read. */
export type WorkgroupReading = { readonly workgroup: Workgroup; readonly now: number };

export type LineageReading = {
  readonly workgroupId: string;
  readonly lineage: Lineage;
  readonly now: number;
};

/**
 * Workgroups: a stream of events each, and the state that follows from it, changed in one transaction under one lock. Of two
 * commands on one workgroup the second decides on what the first left. `decide` is pure and called once.
 */
export interface WorkgroupStore {
  /**
   * Locks, decides, appends `evolve`d state and events, answers; throws the decision's refusal once its events are
   * durable. `not_found` is for `decide` to say: a workgroup that is not open has sequence −1. A lineage id
   * that another workgroup of the tenant has registered is refused with `lineage_exists`.
   */
  decide<Answer extends object>(
    change: WorkgroupChange,
    decide: (workgroup: Workgroup, moment: DecisionMoment) => Decision<Answer>,
  ): Promise<Answer>;
  /** Held and idle lineages; `evicted` as many of the newest evicted ones too. */
  read(tenantId: string, workgroupId: string, evicted?: number): Promise<WorkgroupReading | undefined>;
  lineage(tenantId: string, lineageId: string): Promise<LineageReading | undefined>;
  /** After a sequence, oldest first; of some types, of one lineage. */
  events(page: EventPage): Promise<readonly RecordedWorkgroupEvent[]>;
  /** The newest events of a lineage of one type, oldest first. */
  lastEvents(page: LastEvents): Promise<readonly RecordedWorkgroupEvent[]>;
  capsule(tenantId: string, workgroupId: string, capsuleHash: string): Promise<CapsuleView | undefined>;
  /** The newest that the workgroup has recorded under an id. */
  delegation(
    tenantId: string,
    workgroupId: string,
    delegationId: string,
  ): Promise<DelegationView | undefined>;
  /** Workgroups with a lease that is over by the database's clock, the longest over first. */
  withExpired(limit: number): Promise<readonly { readonly tenantId: string; readonly workgroupId: string }[]>;
  /** Forgets answers kept for command ids for longer than a day; how many. */
  forgetCommands(): Promise<number>;
}

export type EventPage = {
  readonly tenantId: string;
  readonly workgroupId: string;
  readonly after: number;
  readonly limit: number;
  readonly types?: readonly WorkgroupEvent['type'][];
};

export type LastEvents = {
  readonly tenantId: string;
  readonly workgroupId: string;
  readonly lineageId: string;
  readonly type: WorkgroupEvent['type'];
  readonly limit: number;
};
