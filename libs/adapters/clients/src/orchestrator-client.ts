import {
  callsVerifiedSchema,
  fixturesAnswerSchema,
  mockKindSchema,
  mockProgrammedSchema,
  ORCHESTRATOR_SUBJECTS,
  sideEffectsCountedSchema,
  workflowAnswerSchema,
  type AskMock,
  type CountSideEffects,
  type CallsVerified,
  type MockKind,
  type ProgramMock,
  type ReadWorkflow,
  type RegisterWorkflow,
  type RunQuery,
  type WorkflowVersion,
} from '@palimpsest/contracts';
import { TerminalError, type MessageBus } from '@palimpsest/kernel';
import { ask } from './ask.js';

/** Below 2 s with what the caller adds: a run is created with one of these questions. */
const TIMEOUT_MS = 1500;

/** Every request of a run to a model is made again. */
const VERIFY_TIMEOUT_MS = 120_000;

/** Workflow definitions, over the bus. */
export class OrchestratorClient {
  readonly #bus: MessageBus;

  constructor(bus: MessageBus) {
    this.#bus = bus;
  }

  /** By id, the newest that the tenant sees; by digest, that version. Undefined where there is none. */
  async readWorkflow(query: ReadWorkflow): Promise<WorkflowVersion | undefined> {
    const question = { subject: ORCHESTRATOR_SUBJECTS.readWorkflow, body: query, timeoutMs: TIMEOUT_MS };
    return (await ask(this.#bus, question, workflowAnswerSchema)).workflow ?? undefined;
  }

  /** Test seam: a definition that this tenant alone sees. Refused with `validation_error` and `details.field`. */
  async registerWorkflow(command: RegisterWorkflow): Promise<WorkflowVersion> {
    const question = {
      subject: ORCHESTRATOR_SUBJECTS.registerWorkflow,
      body: command,
      timeoutMs: TIMEOUT_MS,
    };
    const { workflow } = await ask(this.#bus, question, workflowAnswerSchema);
    if (!workflow) throw new TerminalError('internal_error', 'A registered workflow is not there.');
    return workflow;
  }

  /** Ids of the conformance fixtures that are seeded, in order of the alphabet. */
  async fixtures(): Promise<readonly string[]> {
    const question = { subject: ORCHESTRATOR_SUBJECTS.fixtures, body: {}, timeoutMs: TIMEOUT_MS };
    return (await ask(this.#bus, question, fixturesAnswerSchema)).workflowIds;
  }

  /** Test seam: removes what this tenant registered; runs at work keep their versions. Answers the ids removed. */
  async forgetRegistered(tenantId: string): Promise<readonly string[]> {
    const question = {
      subject: ORCHESTRATOR_SUBJECTS.forgetRegistered,
      body: { tenantId },
      timeoutMs: TIMEOUT_MS,
    };
    return (await ask(this.#bus, question, fixturesAnswerSchema)).workflowIds;
  }

  /** Test seam: what the provider `mock` answers to a tenant's node from now on. Answers how many answers there are. */
  async programMock(command: ProgramMock): Promise<number> {
    const question = { subject: ORCHESTRATOR_SUBJECTS.programMock, body: command, timeoutMs: TIMEOUT_MS };
    return (await ask(this.#bus, question, mockProgrammedSchema)).count;
  }

  /** Test seam: how often a tenant's nodes of this id had their effect outside. */
  async countSideEffects(query: CountSideEffects): Promise<number> {
    const question = {
      subject: ORCHESTRATOR_SUBJECTS.countSideEffects,
      body: query,
      timeoutMs: TIMEOUT_MS,
    };
    return (await ask(this.#bus, question, sideEffectsCountedSchema)).count;
  }

  /** Puts the call of a replay's node to the provider `mock`; `none` where nothing is left of its program. */
  async askMock(query: AskMock): Promise<MockKind['kind']> {
    const question = { subject: ORCHESTRATOR_SUBJECTS.askMock, body: query, timeoutMs: TIMEOUT_MS };
    return (await ask(this.#bus, question, mockKindSchema)).kind;
  }

  /** Whether the calls of models that a run has answers of were made as its record says. */
  async verifyCalls({ tenantId, runId }: RunQuery): Promise<CallsVerified> {
    const question = {
      subject: ORCHESTRATOR_SUBJECTS.verifyCalls,
      body: { tenantId, runId },
      timeoutMs: VERIFY_TIMEOUT_MS,
    };
    return ask(this.#bus, question, callsVerifiedSchema);
  }
}
