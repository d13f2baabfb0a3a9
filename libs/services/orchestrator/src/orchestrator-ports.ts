import type { CancelRun, RunStatusAnswer, StartWorkflow } from '@palimpsest/contracts';
import type {
  ArtifactStore,
  Clock,
  EffectPermit,
  EventLog,
  Logger,
  MessageBus,
  OneAtATime,
  RacePoints,
  TokenCounter,
} from '@palimpsest/kernel';
import type { Effect, EffectClass, EffectOutcome } from '@palimpsest/workflow';
import type { KnownDefinitions } from './definitions/known-definitions.js';
import type { WorkflowRun } from './runs/workflow-run.js';
import type { TimerStore } from './timers/timer-store.js';

export type RunKey = { readonly tenantId: string; readonly runId: string };

/** The run log's commands that reach the children of a run. */
export interface ChildRuns {
  /** With the same `commandId` again it answers what was recorded. */
  startWorkflow(command: StartWorkflow): Promise<RunStatusAnswer>;
  cancelRun(command: CancelRun): Promise<RunStatusAnswer>;
}

/** The run as of the end of its log, its leave to have effects, and when an answer is of no use any more. */
type OfRun = {
  readonly run: WorkflowRun;
  readonly permit: EffectPermit;
  readonly until?: Date | undefined;
};

/** A turn that no script decides. */
export type Turn = Omit<Extract<Effect, { kind: 'decide' }>, 'kind'> & OfRun;
export type PlannerOutcome = Extract<EffectOutcome, { kind: 'decided' | 'undecided' }>;

/**
 * Decides turns of supervisors that are no scripts. It may be asked for the same turn again, where a process died before
 * the answer was recorded. Undefined: the turn is to be tried again later. The run's log may have grown meanwhile.
 */
export interface Planner {
  decide(turn: Turn): Promise<PlannerOutcome | undefined>;
}

/** A node that a model answers for. */
export type NodeCall = Omit<Extract<Effect, { kind: 'ask-model' }>, 'kind'> & OfRun;
export type NodeOutcome = Extract<EffectOutcome, { kind: 'model-answered' | 'model-failed' }>;

/** As {@link Planner}, for nodes of the types `core.ai.*`. */
export interface ModelAnswers {
  answer(call: NodeCall): Promise<NodeOutcome | undefined>;
}

/** A node that has an effect outside. */
export type SideEffectCall = Omit<Extract<Effect, { kind: 'perform' }>, 'kind'> & OfRun;
export type SideEffectOutcome = Extract<EffectOutcome, { kind: 'performed' | 'not-performed' }>;

/** As {@link Planner}, for the effects of nodes. */
export interface PerformsEffects {
  perform(call: SideEffectCall): Promise<SideEffectOutcome | undefined>;
}

/** What it takes to execute a run. */
export type ExecutionPorts = {
  readonly eventLog: EventLog;
  readonly bus: Pick<MessageBus, 'publish'>;
  readonly definitions: KnownDefinitions;
  readonly timers: TimerStore;
  readonly childRuns: ChildRuns;
  /** Absent where no model is configured: then only scripts decide. */
  readonly planner?: Planner;
  readonly modelNodes: ModelAnswers;
  readonly sideEffects: PerformsEffects;
  /** Which nodes a replay takes from the record. Default: as the engine classifies its types. */
  readonly classOf?: (typeId: string) => EffectClass;
  /** Where goes what workers return to a model; absent where no model is configured. */
  readonly artifacts?: Pick<ArtifactStore, 'put'>;
  /** Counts what stands in transcripts of execution loops, once, when it is appended. */
  readonly tokens: Pick<TokenCounter, 'countAll'>;
  /** How many runs may start each other, one inside the other. */
  readonly maxChildDepth: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly races: RacePoints;
  /** Work on one run waits for its turn here, instead of losing to each other at the log. */
  readonly inTurn: OneAtATime;
};
