import {
  askMockSchema,
  countSideEffectsSchema,
  forgetRegisteredSchema,
  ORCHESTRATOR_SUBJECTS,
  programMockSchema,
  readWorkflowSchema,
  registerWorkflowSchema,
  verifyCallsSchema,
  type JsonValue,
  type WorkflowVersion,
} from '@palimpsest/contracts';
import {
  parseRequest,
  TerminalError,
  type BusSubscription,
  type Clock,
  type MessageBus,
} from '@palimpsest/kernel';
import type { DefinitionStore } from '../definitions/definition-store.js';
import type { KnownDefinitions } from '../definitions/known-definitions.js';
import { workflowVersionOf } from '../definitions/workflow-version.js';
import { mockKindOf } from '../mock-provider/mock-kind.js';
import type { MockProgramStore } from '../mock-provider/mock-program-store.js';
import type { SideEffectStore } from '../side-effects/side-effect-store.js';
import { verifyCalls, type CallVerificationPorts } from '../verification/verify-calls.js';

export type RequestPorts = {
  readonly store: DefinitionStore;
  readonly known: KnownDefinitions;
  readonly clock: Clock;
  /** Absent where the provider `mock` is not served. */
  readonly mocks?: MockProgramStore | undefined;
  /** Absent where nodes have no effects for tests. */
  readonly sideEffects?: SideEffectStore | undefined;
  readonly calls: CallVerificationPorts;
};

type Handler = (ports: RequestPorts, body: JsonValue) => Promise<JsonValue>;

const HANDLERS: Readonly<Record<keyof typeof ORCHESTRATOR_SUBJECTS, Handler>> = {
  readWorkflow,
  registerWorkflow,
  fixtures: async ({ store }) => answerIds(await store.fixtures()),
  forgetRegistered: async ({ store }, body) =>
    answerIds(await store.forget(parseRequest(forgetRegisteredSchema, body).tenantId)),
  programMock,
  askMock,
  countSideEffects,
  verifyCalls: async ({ calls }, body) =>
    (await verifyCalls(calls, parseRequest(verifyCallsSchema, body))) as JsonValue,
};

/** Instances share the work through one queue group. */
const QUEUE = 'orchestrator';

export function answerRequests(bus: MessageBus, ports: RequestPorts): Promise<readonly BusSubscription[]> {
  const names = Object.keys(HANDLERS) as (keyof typeof HANDLERS)[];
  return Promise.all(
    names.map((name) =>
      bus.respond(ORCHESTRATOR_SUBJECTS[name], QUEUE, (body) => HANDLERS[name](ports, body)),
    ),
  );
}

async function readWorkflow({ store, known }: RequestPorts, body: JsonValue): Promise<JsonValue> {
  const query = parseRequest(readWorkflowSchema, body);
  if ('digest' in query) return answerVersion(await known.version(query.digest));
  return answerVersion(await store.inForce(query.tenantId, query.workflowId));
}

async function registerWorkflow({ store, clock }: RequestPorts, body: JsonValue): Promise<JsonValue> {
  const { tenantId, definition } = parseRequest(registerWorkflowSchema, body);
  const version = workflowVersionOf(definition, 'definition.');
  await store.put({ ...version, owner: tenantId, fixture: false }, clock.now());
  return answerVersion(version);
}

async function programMock({ mocks }: RequestPorts, body: JsonValue): Promise<JsonValue> {
  const command = parseRequest(programMockSchema, body);
  if (!mocks) throw new NotServedError('the provider mock');
  await mocks.program(command);
  return { count: command.program.length };
}

/** Without the mock, what a replay's source recorded stands. */
async function askMock({ known, mocks }: RequestPorts, body: JsonValue): Promise<JsonValue> {
  const query = parseRequest(askMockSchema, body);
  const version = mocks && (await known.version(query.digest));
  return mocks && version ? mockKindOf(mocks, query, version.definition) : { kind: 'none' };
}

async function countSideEffects({ sideEffects }: RequestPorts, body: JsonValue): Promise<JsonValue> {
  const query = parseRequest(countSideEffectsSchema, body);
  if (!sideEffects) throw new NotServedError('effects for conformance tests');
  return { count: await sideEffects.count(query) };
}

class NotServedError extends TerminalError {
  constructor(what: string) {
    super('capability_required', `This host does not serve ${what}.`);
  }
}

function answerVersion(version: WorkflowVersion | undefined): JsonValue {
  return { workflow: (version ?? null) as unknown as JsonValue };
}

function answerIds(workflowIds: readonly string[]): JsonValue {
  return { workflowIds: [...workflowIds] };
}
