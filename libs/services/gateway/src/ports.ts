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
