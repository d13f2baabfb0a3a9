import type { CapsuleView, DelegationView } from '@palimpsest/contracts/registry';
import { OneAtATime } from '@palimpsest/kernel';
import type { RolloutStanding } from '../domain/rollout/rollout.js';
import type { DecidedTelemetry } from '../domain/workgroup/decision.js';
import { closedWorkgroup, type Lineage, type Workgroup } from '../domain/workgroup/workgroup.js';
import type { RecordedWorkgroupEvent } from '../domain/workgroup/workgroup-events.js';
import { applyDecision, type AppliedDecision } from './apply-decision.js';
import type { Decide } from './decide-in-transaction.js';
import type { WorkgroupKey } from './find-expired.js';
import { LineageExistsError } from '../domain/workgroup/workgroup.errors.js';
import {
  capsulesIn,
  delegationsIn,
  expiredIn,
  stateOf,
  type StoredLineage,
  type StoredWorkgroup,
} from './memory-workgroup.js';
import { answerOf, keptOutcome, outcomeText, type KeptOutcome, type Outcome } from './outcome.js';
import type {
  DecisionMoment,
  EventPage,
  LastEvents,
  LineageReading,
  WorkgroupChange,
  WorkgroupReading,
  WorkgroupStore,
} from './workgroup-store.js';

export type MemoryWorkgroupStoreOptions = {
  /** What the database's clock is to the other store, in milliseconds. */
  readonly now: () => number;
  /** Default: no family ever left `off`. */
  readonly rolloutOf?: (tenantId: string, environment: string, family: string) => RolloutStanding | undefined;
  /** Default: nobody keeps it. */
  readonly keepTelemetry?: (tenantId: string, rows: readonly DecidedTelemetry[]) => void;
};

type KeptCommand = { readonly outcomeJson: string; readonly recordedAt: number };

const DAY_MS = 86_400_000;

/** Workgroups of one process's life, for tests. */
export class MemoryWorkgroupStore implements WorkgroupStore {
  readonly #options: MemoryWorkgroupStoreOptions;
  readonly #turns = new OneAtATime();
  readonly #workgroups = new Map<string, StoredWorkgroup>();
  readonly #lineages = new Map<string, StoredLineage>();
  readonly #commands = new Map<string, KeptCommand>();

  constructor(options: MemoryWorkgroupStoreOptions) {
    this.#options = options;
  }

  async decide<Answer extends object>(change: WorkgroupChange, decide: Decide<Answer>): Promise<Answer> {
    const work = async () => this.#decideNow(change, decide);
    return answerOf(await this.#turns.run(keyOf(change.tenantId, change.workgroupId), work));
  }

  async read(tenantId: string, workgroupId: string, evicted = 0): Promise<WorkgroupReading | undefined> {
    const stored = this.#workgroups.get(keyOf(tenantId, workgroupId));
    if (!stored) return undefined;
    const gone = this.#lineagesOf(tenantId, workgroupId).filter(
      ({ lineage }) => lineage.status === 'evicted',
    );
    const newest = gone.sort(byChange).slice(Math.max(0, gone.length - evicted));
    const wanted = new Set(newest.map(({ lineage }) => lineage.lineageId));
    return { workgroup: this.#state(tenantId, workgroupId, wanted), now: this.#options.now() };
  }

  async lineage(tenantId: string, lineageId: string): Promise<LineageReading | undefined> {
    const stored = this.#lineages.get(keyOf(tenantId, lineageId));
    return stored && { workgroupId: stored.workgroupId, lineage: stored.lineage, now: this.#options.now() };
  }

  async events(page: EventPage): Promise<readonly RecordedWorkgroupEvent[]> {
    const { after, limit, types } = page;
    return this.#events(page)
      .filter(({ sequence, type }) => sequence > after && (!types || types.includes(type)))
      .slice(0, limit);
  }

  async lastEvents(last: LastEvents): Promise<readonly RecordedWorkgroupEvent[]> {
    const events = this.#events(last).filter(
      (event) => event.type === last.type && 'lineageId' in event && event.lineageId === last.lineageId,
    );
    return events.slice(Math.max(0, events.length - last.limit));
  }

  async capsule(
    tenantId: string,
    workgroupId: string,
    capsuleHash: string,
  ): Promise<CapsuleView | undefined> {
    return capsulesIn(this.#events({ tenantId, workgroupId })).find(
      (capsule) => capsule.capsuleHash === capsuleHash,
    );
  }

  async delegation(
    tenantId: string,
    workgroupId: string,
    delegationId: string,
  ): Promise<DelegationView | undefined> {
    return delegationsIn(workgroupId, this.#events({ tenantId, workgroupId }))
      .filter((delegation) => delegation.delegationId === delegationId)
      .at(-1);
  }

  async withExpired(limit: number): Promise<readonly WorkgroupKey[]> {
    return expiredIn([...this.#lineages.values()], this.#options.now()).slice(0, limit);
  }

  async forgetCommands(): Promise<number> {
    const before = this.#options.now() - DAY_MS;
    const old = [...this.#commands].filter(([, { recordedAt }]) => recordedAt < before);
    for (const [key] of old) this.#commands.delete(key);
    return old.length;
  }

  /** Without a pause, as behind a lock. */
  #decideNow<Answer extends object>(change: WorkgroupChange, decide: Decide<Answer>): Outcome<Answer> {
    const kept = this.#keptFor(change);
    if (kept) return keptOutcome<Answer>(kept);
    const before = this.#state(change.tenantId, change.workgroupId, new Set(change.lineageIds));
    const moment = this.#moment(change);
    const { events, telemetry = [], ...outcome } = decide(before, moment);
    const applied = applyDecision(before, events, new Date(moment.now).toISOString());
    const outcomeJson = change.commandId === undefined ? null : outcomeText(outcome);
    this.#write(change, applied);
    if (telemetry.length > 0) this.#options.keepTelemetry?.(change.tenantId, telemetry);
    if (change.commandId !== undefined && outcomeJson !== null)
      this.#commands.set(commandKey(change, change.commandId), { outcomeJson, recordedAt: moment.now });
    return outcome;
  }

  #moment({ tenantId, rollout }: WorkgroupChange): DecisionMoment {
    const now = Math.floor(this.#options.now());
    if (!rollout) return { now };
    const { environment, family } = rollout;
    const off = { environment, family, version: 0, stage: 'off', canaryPercent: null } as const;
    return { now, rollout: this.#options.rolloutOf?.(tenantId, environment, family) ?? off };
  }

  #keptFor(change: WorkgroupChange): KeptOutcome | undefined {
    if (change.commandId === undefined) return undefined;
    const kept = this.#commands.get(commandKey(change, change.commandId));
    return kept && (JSON.parse(kept.outcomeJson) as KeptOutcome);
  }

  #write(
    { tenantId, workgroupId }: WorkgroupChange,
    { after, events, added, changed }: AppliedDecision,
  ): void {
    const taken = added.find(({ lineageId }) => this.#lineages.has(keyOf(tenantId, lineageId)));
    if (taken) throw new LineageExistsError(taken.lineageId);
    if (events.length === 0) return;
    const key = keyOf(tenantId, workgroupId);
    const before = this.#workgroups.get(key)?.events ?? [];
    // As text and back: nobody shares an object with what is recorded.
    const recorded = events.map(({ event, payloadJson }) => ({
      ...event,
      payload: JSON.parse(payloadJson) as never,
    }));
    this.#workgroups.set(key, { state: stateOf(after), events: [...before, ...recorded] });
    for (const lineage of [...added, ...changed]) this.#writeLineage(tenantId, after, lineage);
  }

  #writeLineage(tenantId: string, { workgroupId, sequence }: Workgroup, lineage: Lineage): void {
    const key = keyOf(tenantId, lineage.lineageId);
    const before = this.#lineages.get(key);
    const registered = before?.registered ?? sequence;
    // A refusal changes an evicted one, but not when it left.
    const changed = before?.lineage.status === 'evicted' ? before.changed : sequence;
    this.#lineages.set(key, { tenantId, workgroupId, lineage, registered, changed });
  }

  /** With what is held or idle, and those wanted whatever they are. */
  #state(tenantId: string, workgroupId: string, wanted: ReadonlySet<string>): Workgroup {
    const state = this.#workgroups.get(keyOf(tenantId, workgroupId))?.state ?? closedWorkgroup(workgroupId);
    const lineages = this.#lineagesOf(tenantId, workgroupId)
      .map(({ lineage }) => lineage)
      .filter(({ status, lineageId }) => status !== 'evicted' || wanted.has(lineageId));
    return { ...state, lineages: new Map(lineages.map((lineage) => [lineage.lineageId, lineage])) };
  }

  /** Oldest first. */
  #lineagesOf(tenantId: string, workgroupId: string): StoredLineage[] {
    return [...this.#lineages.values()]
      .filter((stored) => stored.tenantId === tenantId && stored.workgroupId === workgroupId)
      .sort(byRegistration);
  }

  #events({ tenantId, workgroupId }: WorkgroupKey): readonly RecordedWorkgroupEvent[] {
    return this.#workgroups.get(keyOf(tenantId, workgroupId))?.events ?? [];
  }
}

function keyOf(tenantId: string, id: string): string {
  return `${tenantId}/${id}`;
}

/** A command id is its workgroup's. */
function commandKey({ tenantId, workgroupId }: WorkgroupChange, commandId: string): string {
  return `${keyOf(tenantId, workgroupId)}/${commandId}`;
}

function byRegistration(one: StoredLineage, other: StoredLineage): number {
  return one.registered - other.registered || byId(one, other);
}

function byChange(one: StoredLineage, other: StoredLineage): number {
  return one.changed - other.changed || byId(one, other);
}

function byId(one: StoredLineage, other: StoredLineage): number {
  return one.lineage.lineageId < other.lineage.lineageId ? -1 : 1;
}
