import {
  forgetRegisteredSchema,
  ORCHESTRATOR_SUBJECTS,
  readWorkflowSchema,
  registerWorkflowSchema,
  type JsonValue,
  type WorkflowVersion,
} from '@palimpsest/contracts';
import { parseRequest, type BusSubscription, type Clock, type MessageBus } from '@palimpsest/kernel';
import type { DefinitionStore } from '../definitions/definition-store.js';
import type { KnownDefinitions } from '../definitions/known-definitions.js';
import { workflowVersionOf } from '../definitions/workflow-version.js';

export type DefinitionPorts = {
  readonly store: DefinitionStore;
  readonly known: KnownDefinitions;
  readonly clock: Clock;
};

type Handler = (ports: DefinitionPorts, body: JsonValue) => Promise<JsonValue>;

const HANDLERS: Readonly<Record<keyof typeof ORCHESTRATOR_SUBJECTS, Handler>> = {
  readWorkflow,
  registerWorkflow,
  fixtures: async ({ store }) => answerIds(await store.fixtures()),
  forgetRegistered: async ({ store }, body) =>
    answerIds(await store.forget(parseRequest(forgetRegisteredSchema, body).tenantId)),
};

/** Instances share the work through one queue group. */
const QUEUE = 'orchestrator';

export function answerRequests(bus: MessageBus, ports: DefinitionPorts): Promise<readonly BusSubscription[]> {
  const names = Object.keys(HANDLERS) as (keyof typeof HANDLERS)[];
  return Promise.all(
    names.map((name) =>
      bus.respond(ORCHESTRATOR_SUBJECTS[name], QUEUE, (body) => HANDLERS[name](ports, body)),
    ),
  );
}

async function readWorkflow({ store, known }: DefinitionPorts, body: JsonValue): Promise<JsonValue> {
  const query = parseRequest(readWorkflowSchema, body);
  if ('digest' in query) return answerVersion(await known.version(query.digest));
  return answerVersion(await store.inForce(query.tenantId, query.workflowId));
}

async function registerWorkflow({ store, clock }: DefinitionPorts, body: JsonValue): Promise<JsonValue> {
  const { tenantId, definition } = parseRequest(registerWorkflowSchema, body);
  const version = workflowVersionOf(definition, 'definition.');
  await store.put({ ...version, owner: tenantId, fixture: false }, clock.now());
  return answerVersion(version);
}

function answerVersion(version: WorkflowVersion | undefined): JsonValue {
  return { workflow: (version ?? null) as unknown as JsonValue };
}

function answerIds(workflowIds: readonly string[]): JsonValue {
  return { workflowIds: [...workflowIds] };
}
