import type {
  AskMock,
  CallsVerified,
  MockKind,
  ReadWorkflow,
  RunQuery,
  Verification,
  WorkflowVersion,
} from '@palimpsest/contracts';
import type { ArtifactStore, Clock, EventLog, Logger, MessageBus, RacePoints } from '@palimpsest/kernel';
import type { ForkJobStore } from './store/fork-job-store.js';

/** Definitions of workflows by digest: one never changes. */
export type Definitions = { readWorkflow(query: ReadWorkflow): Promise<WorkflowVersion | undefined> };

/** The provider `mock`, whose programs a replay goes on with (host specification §6.5). The orchestrator has them. */
export type MockCalls = Definitions & {
  /** The same run and node asked again get the same. */
  askMock(query: AskMock): Promise<MockKind['kind']>;
};

/** What the coordinator works with. */
export type ReplayPorts = {
  readonly eventLog: EventLog;
  readonly artifacts: ArtifactStore;
  readonly jobs: ForkJobStore;
  /** Derives every window of a run again from log and artifacts. */
  readonly assembler: { verify(query: RunQuery): Promise<Verification> };
  readonly bus: Pick<MessageBus, 'ensureStream' | 'publish'>;
  /** Makes the request of each recorded model call again; absent: they are not verified. The orchestrator has them. */
  readonly calls?: { verifyCalls(query: RunQuery): Promise<CallsVerified> };
  /** Absent: nodes are not executed again. */
  readonly definitions?: Definitions;
  /** Absent: every recorded result stands. */
  readonly mocks?: MockCalls;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly races: RacePoints;
};
