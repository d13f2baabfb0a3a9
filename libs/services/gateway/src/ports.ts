import type {
  AddPin,
  AppendedMessages,
  AppendMessages,
  CancelRun,
  CountSideEffects,
  CreateRun,
  DiffRuns,
  FinishRun,
  ForkedRun,
  ForkRun,
  PinAnswer,
  PlanWindow,
  ProgramMock,
  ReadWindow,
  ReadWorkflow,
  RegisterWorkflow,
  RemovePin,
  ResolveInterrupt,
  RunDiff,
  RunHeader,
  RunQuery,
  RunStatusAnswer,
  StartWorkflow,
  Usage,
  UsageQuery,
  Verification,
  WindowExplanation,
  WindowPlan,
  WorkflowVersion,
} from '@palimpsest/contracts';
import type {
  AcceptKnowledge,
  AdvancePhase,
  Approve,
  CapsuleView,
  ChangeStage,
  Coordinate,
  Delegate,
  DelegationList,
  DelegationView,
  EvictLineage,
  FindCapsule,
  FlushKnowledge,
  InheritLineage,
  KnowledgeCalls,
  LineageDocument,
  LineageGrant,
  LineageList,
  LineageQuery,
  LineageView,
  ListLineages,
  ListTelemetry,
  LoadingPlan,
  McpHealthAnswer,
  McpHealthQuery,
  OwnedPaths,
  OwnedPathsQuery,
  PlanLoading,
  Promote,
  Promotion,
  ReconcileLineage,
  RecordCapsule,
  RecordedTelemetry,
  RecordResult,
  RecordTelemetry,
  RegisterLineage,
  ReleaseLineage,
  RenewLineage,
  ReportMcpHealth,
  ResultAnswer,
  ResumeLineage,
  RolloutQuery,
  RolloutReport,
  RolloutReportQuery,
  Rollouts,
  RolloutView,
  Select,
  Selection,
  TelemetryList,
  WorkgroupEvents,
  WorkgroupPage,
  WorkgroupQuery,
  WorkgroupView,
} from '@palimpsest/contracts/registry';

/** Commands of the run log. A repeated `commandId` answers what was recorded. */
export interface RunLogCommands {
  createRun(command: CreateRun): Promise<RunHeader>;
  appendMessages(command: AppendMessages): Promise<AppendedMessages>;
  finishRun(command: FinishRun): Promise<RunHeader>;
  /** A text that is stored, on a run of either kind. */
  addPin(command: AddPin): Promise<PinAnswer>;
  removePin(command: RemovePin): Promise<PinAnswer>;
  /** A run that the host executes: its status as recorded. */
  startWorkflow(command: StartWorkflow): Promise<RunStatusAnswer>;
  resolveInterrupt(command: ResolveInterrupt): Promise<RunStatusAnswer>;
  /** A run of any kind; one that has ended stays as it is. */
  cancelRun(command: CancelRun): Promise<RunStatusAnswer>;
}

/** Definitions of workflows, as a tenant sees them. */
export interface WorkflowDirectory {
  /** Undefined where the tenant sees none. */
  readWorkflow(query: ReadWorkflow): Promise<WorkflowVersion | undefined>;
  /** Test seam: a definition that this tenant alone sees. */
  registerWorkflow(command: RegisterWorkflow): Promise<WorkflowVersion>;
  /** Test seam: removes what the tenant registered; answers the ids. */
  forgetRegistered(tenantId: string): Promise<readonly string[]>;
  /** Test seam: what the provider `mock` answers to a node of a tenant's; in place of what it was to answer. Their number. */
  programMock(command: ProgramMock): Promise<number>;
  /** Test seam: how often nodes of this id had their effect outside, in all runs of the tenant. */
  countSideEffects(query: CountSideEffects): Promise<number>;
  /** Ids of the conformance fixtures that runs can be made of. */
  fixtures(): Promise<readonly string[]>;
}

export interface WindowAssembler {
  planWindow(command: PlanWindow): Promise<WindowPlan>;
  readWindow(query: ReadWindow): Promise<WindowPlan>;
  explainWindow(query: ReadWindow): Promise<WindowExplanation>;
  usage(query: UsageQuery): Promise<Usage>;
}

export interface RunForks {
  fork(command: ForkRun): Promise<ForkedRun>;
  /** As `fork`, of a fork that was allowed before, told by the digest of its overlay; undefined where none was. */
  forkAgain(command: ForkRun): Promise<ForkedRun | undefined>;
  verify(query: RunQuery): Promise<Verification>;
  diff(query: DiffRuns): Promise<RunDiff>;
}

/**
 * Workgroups, their lineages and rollouts, as the lineage registry keeps them. A refusal keeps its code; a repeated `commandId`
 * answers what it answered.
 */
export interface Registry {
  coordinate(command: Coordinate): Promise<WorkgroupView>;
  advancePhase(command: AdvancePhase): Promise<WorkgroupView>;
  approve(command: Approve): Promise<WorkgroupView>;
  readWorkgroup(query: WorkgroupQuery): Promise<WorkgroupView>;
  workgroupEvents(query: WorkgroupPage): Promise<WorkgroupEvents>;
  register(command: RegisterLineage): Promise<LineageGrant>;
  resume(command: ResumeLineage): Promise<LineageGrant>;
  inherit(command: InheritLineage): Promise<LineageGrant>;
  renew(command: RenewLineage): Promise<LineageGrant>;
  reconcile(command: ReconcileLineage): Promise<LineageView>;
  release(command: ReleaseLineage): Promise<LineageView>;
  evict(command: EvictLineage): Promise<LineageView>;
  recordResult(command: RecordResult): Promise<ResultAnswer>;
  readLineage(query: LineageQuery): Promise<LineageDocument>;
  listLineages(query: ListLineages): Promise<LineageList>;
  ownedPaths(query: OwnedPathsQuery): Promise<OwnedPaths>;
  recordCapsule(command: RecordCapsule): Promise<CapsuleView>;
  findCapsule(query: FindCapsule): Promise<CapsuleView>;
  delegate(command: Delegate): Promise<DelegationView>;
  listDelegations(query: WorkgroupPage): Promise<DelegationList>;
  reportMcpHealth(command: ReportMcpHealth): Promise<McpHealthAnswer>;
  mcpHealth(query: McpHealthQuery): Promise<McpHealthAnswer>;
  acceptKnowledge(command: AcceptKnowledge): Promise<KnowledgeCalls>;
  flushKnowledge(command: FlushKnowledge): Promise<KnowledgeCalls>;
  planLoading(query: PlanLoading): Promise<LoadingPlan>;
  recordTelemetry(command: RecordTelemetry): Promise<RecordedTelemetry>;
  listTelemetry(query: ListTelemetry): Promise<TelemetryList>;
  readRollouts(query: RolloutQuery): Promise<Rollouts>;
  changeStage(command: ChangeStage): Promise<RolloutView>;
  select(command: Select): Promise<Selection>;
  promote(command: Promote): Promise<Promotion>;
  rolloutReport(query: RolloutReportQuery): Promise<RolloutReport>;
}

/** What the host signs certificates with: Ed25519. */
export type HostKey = {
  /** First 32 hexadecimal digits of SHA-256 over the public key (SPKI, DER). */
  readonly keyId: string;
  /** SPKI, PEM. */
  readonly publicKey: string;
  /** The signature in hexadecimal. */
  readonly sign: (said: Uint8Array) => string;
};

export const HOST_KEY = Symbol('HostKey');
export const RUN_LOG_COMMANDS = Symbol('RunLogCommands');
export const WINDOW_ASSEMBLER = Symbol('WindowAssembler');
export const RUN_FORKS = Symbol('RunForks');
export const WORKFLOW_DIRECTORY = Symbol('WorkflowDirectory');
export const REGISTRY = Symbol('Registry');
