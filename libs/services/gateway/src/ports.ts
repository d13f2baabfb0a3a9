import type {
  AppendedMessages,
  AppendMessages,
  CreateRun,
  FinishRun,
  ForkedRun,
  ForkRun,
  PlanWindow,
  ReadWindow,
  RunHeader,
  RunQuery,
  Usage,
  UsageQuery,
  Verification,
  WindowExplanation,
  WindowPlan,
} from '@palimpsest/contracts';

/** Commands of the run log. A repeated `commandId` answers what was recorded. */
export interface RunLogCommands {
  createRun(command: CreateRun): Promise<RunHeader>;
  appendMessages(command: AppendMessages): Promise<AppendedMessages>;
  finishRun(command: FinishRun): Promise<RunHeader>;
}

export interface WindowAssembler {
  planWindow(command: PlanWindow): Promise<WindowPlan>;
  readWindow(query: ReadWindow): Promise<WindowPlan>;
  explainWindow(query: ReadWindow): Promise<WindowExplanation>;
  usage(query: UsageQuery): Promise<Usage>;
}

export interface RunForks {
  fork(command: ForkRun): Promise<ForkedRun>;
  verify(query: RunQuery): Promise<Verification>;
}

export const RUN_LOG_COMMANDS = Symbol('RunLogCommands');
export const WINDOW_ASSEMBLER = Symbol('WindowAssembler');
export const RUN_FORKS = Symbol('RunForks');
