import type { JsonObject, RunError } from '@palimpsest/contracts';
import type { AskedOfModel, ModelName } from '@palimpsest/kernel';
import type { Answered, Asking } from '../invocations/ask-once.js';
import { callError, modelNotAllowedError, noModelError } from '../invocations/call-errors.js';
import { askedModel, providerKeyOf } from '../invocations/model-names.js';
import { requestedSettings } from '../invocations/requested-settings.js';
import { mockAnswerOf } from '../mock-provider/mock-answer.js';
import { MOCK_PROVIDER, type MockProgramStore } from '../mock-provider/mock-program-store.js';
import type { NodeCall } from '../orchestrator-ports.js';
import type { ModelAccess } from '../planner/model-access.js';
import { outputsOf } from './kept-outputs.js';

export type NodeModels = {
  /** Absent where no model is configured. */
  readonly access?: Pick<ModelAccess, 'model' | 'names' | 'timeoutMs'> | undefined;
  /** Absent where the provider `mock` is not served. */
  readonly mocks?: MockProgramStore | undefined;
};

/** Who answers a node's call. */
export type NodeAsker = {
  /** Part of the invocation's id. */
  readonly providerKey: string;
  readonly name: ModelName;
  readonly ask: (request: AskedOfModel, wait: Wait) => Promise<Answered>;
};

/** `timeoutMs`: what the node says. */
type Wait = Asking & { readonly timeoutMs?: number | undefined };

export function nodeAsker(call: NodeCall, models: NodeModels): NodeAsker | { readonly error: RunError } {
  const { access, mocks } = models;
  if (isMock(call.config, call.run.state.configurable))
    return mocks ? mockAsker(call, mocks) : { error: noModelError() };
  return access ? modelAsker(call, access) : { error: noModelError() };
}

/** By its node, or by the run: the request says that a caller may do so (host specification §3.2). */
export function isMock(config: JsonObject, configurable: JsonObject | undefined): boolean {
  return config['provider'] === MOCK_PROVIDER || configurable?.['mockProvider'] !== undefined;
}

function modelAsker(
  { config, run }: NodeCall,
  { model, names, timeoutMs }: NonNullable<NodeModels['access']>,
): NodeAsker | { readonly error: RunError } {
  const { model: wish } = requestedSettings(run.state.configurable);
  const name = askedModel(names, wish, modelIn(config));
  if (!name) return { error: modelNotAllowedError() };
  return {
    providerKey: providerKeyOf(name),
    name,
    ask: async (request, { timeoutMs: own = timeoutMs, ...asking }) => {
      const answer = await model.ask({ ...request, ...asking, timeoutMs: own, model: name.model });
      return { answer: outputsOf(answer), usages: answer.usages };
    },
  };
}

/** It bills nothing, and takes any name of a model. */
function mockAsker({ run, nodeId, config }: NodeCall, mocks: MockProgramStore): NodeAsker {
  const { tenantId, runId } = run;
  return {
    providerKey: MOCK_PROVIDER,
    name: mockName(config),
    ask: async (request, { invocationId }) => {
      const given = await mocks.take({ tenantId, runId, nodeId, invocationId });
      const answer = given ? mockAnswerOf(request, given) : ({ kind: 'failed', error: exhausted() } as const);
      return { answer, usages: [] };
    },
  };
}

export function mockName(config: JsonObject): ModelName {
  return { provider: MOCK_PROVIDER, model: modelIn(config) ?? MOCK_PROVIDER };
}

/** What a node says of its model. */
export function modelIn(config: JsonObject): string | undefined {
  const name = config['model'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function exhausted(): RunError {
  return callError('mock_program_exhausted', 'The provider mock has no answer left for the node.');
}
