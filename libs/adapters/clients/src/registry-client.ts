import {
  capsuleViewSchema,
  delegationListSchema,
  delegationViewSchema,
  knowledgeCallsSchema,
  lineageDocumentSchema,
  lineageGrantSchema,
  lineageListSchema,
  lineageViewSchema,
  loadingPlanSchema,
  mcpHealthAnswerSchema,
  ownedPathsSchema,
  promotionSchema,
  recordedTelemetrySchema,
  REGISTRY_SUBJECTS,
  resultAnswerSchema,
  rolloutReportSchema,
  rolloutsSchema,
  rolloutViewSchema,
  selectionSchema,
  telemetryListSchema,
  workgroupEventsSchema,
  workgroupViewSchema,
  type AcceptKnowledge,
  type AdvancePhase,
  type Approve,
  type CapsuleView,
  type ChangeStage,
  type Coordinate,
  type Delegate,
  type DelegationList,
  type DelegationView,
  type EvictLineage,
  type FindCapsule,
  type FlushKnowledge,
  type InheritLineage,
  type KnowledgeCalls,
  type LineageDocument,
  type LineageGrant,
  type LineageList,
  type LineageQuery,
  type LineageView,
  type ListLineages,
  type ListTelemetry,
  type LoadingPlan,
  type McpHealthAnswer,
  type McpHealthQuery,
  type OwnedPaths,
  type OwnedPathsQuery,
  type PlanLoading,
  type Promote,
  type Promotion,
  type ReconcileLineage,
  type RecordCapsule,
  type RecordedTelemetry,
  type RecordResult,
  type RecordTelemetry,
  type RegisterLineage,
  type ReleaseLineage,
  type RenewLineage,
  type ReportMcpHealth,
  type ResultAnswer,
  type ResumeLineage,
  type RolloutQuery,
  type RolloutReport,
  type RolloutReportQuery,
  type Rollouts,
  type RolloutView,
  type Select,
  type Selection,
  type TelemetryList,
  type WorkgroupEvents,
  type WorkgroupPage,
  type WorkgroupQuery,
  type WorkgroupView,
} from '@palimpsest/contracts/registry';
import type { MessageBus } from '@palimpsest/kernel';
import { ask, type AnswerSchema } from './ask.js';

const TIMEOUT_MS = 5000;
/** The evidence of a promotion is read and evaluated. */
const PROMOTE_TIMEOUT_MS = 30_000;

/**
 * The lineage registry, over the bus: a method for each of its subjects. Refusals keep their codes (`stale_fence`,
 * `resume_refused`, …). Ask again with the same `commandId` where no answer came.
 */
export class RegistryClient {
  readonly #bus: MessageBus;

  constructor(bus: MessageBus) {
    this.#bus = bus;
  }

  coordinate(command: Coordinate): Promise<WorkgroupView> {
    return this.#ask('coordinate', command, workgroupViewSchema);
  }

  advancePhase(command: AdvancePhase): Promise<WorkgroupView> {
    return this.#ask('advancePhase', command, workgroupViewSchema);
  }

  approve(command: Approve): Promise<WorkgroupView> {
    return this.#ask('approve', command, workgroupViewSchema);
  }

  readWorkgroup(query: WorkgroupQuery): Promise<WorkgroupView> {
    return this.#ask('readWorkgroup', query, workgroupViewSchema);
  }

  workgroupEvents(query: WorkgroupPage): Promise<WorkgroupEvents> {
    return this.#ask('workgroupEvents', query, workgroupEventsSchema);
  }

  register(command: RegisterLineage): Promise<LineageGrant> {
    return this.#ask('register', command, lineageGrantSchema);
  }

  resume(command: ResumeLineage): Promise<LineageGrant> {
    return this.#ask('resume', command, lineageGrantSchema);
  }

  inherit(command: InheritLineage): Promise<LineageGrant> {
    return this.#ask('inherit', command, lineageGrantSchema);
  }

  renew(command: RenewLineage): Promise<LineageGrant> {
    return this.#ask('renew', command, lineageGrantSchema);
  }

  reconcile(command: ReconcileLineage): Promise<LineageView> {
    return this.#ask('reconcile', command, lineageViewSchema);
  }

  release(command: ReleaseLineage): Promise<LineageView> {
    return this.#ask('release', command, lineageViewSchema);
  }

  evict(command: EvictLineage): Promise<LineageView> {
    return this.#ask('evict', command, lineageViewSchema);
  }

  recordResult(command: RecordResult): Promise<ResultAnswer> {
    return this.#ask('recordResult', command, resultAnswerSchema);
  }

  readLineage(query: LineageQuery): Promise<LineageDocument> {
    return this.#ask('readLineage', query, lineageDocumentSchema);
  }

  listLineages(query: ListLineages): Promise<LineageList> {
    return this.#ask('listLineages', query, lineageListSchema);
  }

  ownedPaths(query: OwnedPathsQuery): Promise<OwnedPaths> {
    return this.#ask('ownedPaths', query, ownedPathsSchema);
  }

  recordCapsule(command: RecordCapsule): Promise<CapsuleView> {
    return this.#ask('recordCapsule', command, capsuleViewSchema);
  }

  /** Refused with `not_found` where the workgroup has no capsule of this hash. */
  findCapsule(query: FindCapsule): Promise<CapsuleView> {
    return this.#ask('findCapsule', query, capsuleViewSchema);
  }

  delegate(command: Delegate): Promise<DelegationView> {
    return this.#ask('delegate', command, delegationViewSchema);
  }

  listDelegations(query: WorkgroupPage): Promise<DelegationList> {
    return this.#ask('listDelegations', query, delegationListSchema);
  }

  reportMcpHealth(command: ReportMcpHealth): Promise<McpHealthAnswer> {
    return this.#ask('reportMcpHealth', command, mcpHealthAnswerSchema);
  }

  mcpHealth(query: McpHealthQuery): Promise<McpHealthAnswer> {
    return this.#ask('mcpHealth', query, mcpHealthAnswerSchema);
  }

  acceptKnowledge(command: AcceptKnowledge): Promise<KnowledgeCalls> {
    return this.#ask('acceptKnowledge', command, knowledgeCallsSchema);
  }

  flushKnowledge(command: FlushKnowledge): Promise<KnowledgeCalls> {
    return this.#ask('flushKnowledge', command, knowledgeCallsSchema);
  }

  planLoading(query: PlanLoading): Promise<LoadingPlan> {
    return this.#ask('planLoading', query, loadingPlanSchema);
  }

  recordTelemetry(command: RecordTelemetry): Promise<RecordedTelemetry> {
    return this.#ask('recordTelemetry', command, recordedTelemetrySchema);
  }

  listTelemetry(query: ListTelemetry): Promise<TelemetryList> {
    return this.#ask('listTelemetry', query, telemetryListSchema);
  }

  readRollouts(query: RolloutQuery): Promise<Rollouts> {
    return this.#ask('readRollouts', query, rolloutsSchema);
  }

  changeStage(command: ChangeStage): Promise<RolloutView> {
    return this.#ask('changeStage', command, rolloutViewSchema);
  }

  select(command: Select): Promise<Selection> {
    return this.#ask('select', command, selectionSchema);
  }

  promote(command: Promote): Promise<Promotion> {
    const question = { subject: REGISTRY_SUBJECTS.promote, body: command, timeoutMs: PROMOTE_TIMEOUT_MS };
    return ask(this.#bus, question, promotionSchema);
  }

  rolloutReport(query: RolloutReportQuery): Promise<RolloutReport> {
    return this.#ask('rolloutReport', query, rolloutReportSchema);
  }

  #ask<Answer>(
    name: keyof typeof REGISTRY_SUBJECTS,
    body: object,
    schema: AnswerSchema<Answer>,
  ): Promise<Answer> {
    return ask(this.#bus, { subject: REGISTRY_SUBJECTS[name], body, timeoutMs: TIMEOUT_MS }, schema);
  }
}
