import type { RunError } from '@palimpsest/contracts';
import { askOnce, type Answered, type Asking } from '../invocations/ask-once.js';
import { callError, noModelError } from '../invocations/call-errors.js';
import type { InvocationPorts } from '../invocations/invocation-ports.js';
import { requestedSettings } from '../invocations/requested-settings.js';
import { mockAnswerOf } from '../mock-provider/mock-answer.js';
import { MOCK_PROVIDER, type MockProgramStore } from '../mock-provider/mock-program-store.js';
import type { ModelAnswers, NodeCall, NodeOutcome } from '../orchestrator-ports.js';
import type { ModelAccess } from '../planner/model-access.js';
import { CALL_CLAIMED } from '../race-points.js';
import { outputsOf, storableAnswer } from './kept-outputs.js';
import { nodeRequestOf, type NodeRequest } from './model-node-request.js';

export type NodeModels = {
  /** Absent where no model is configured. */
  readonly access?: Pick<ModelAccess, 'model' | 'providerKey' | 'timeoutMs'> | undefined;
  /** Absent where the provider `mock` is not served. */
  readonly mocks?: MockProgramStore | undefined;
};

/** Has a model answer for nodes of the types `core.ai.*`. The host has one model: what a node says of one is not heard. */
export class ModelNodes implements ModelAnswers {
  constructor(
    private readonly ports: InvocationPorts,
    private readonly models: NodeModels,
  ) {}

  async answer(call: NodeCall): Promise<NodeOutcome | undefined> {
    const asker = this.askerOf(call);
    const request = nodeRequestOf(call);
    if (!asker) return failed(call, noModelError());
    if ('error' in request) return failed(call, request.error);
    const { run, nodeId, attempt, until } = call;
    const reply = await askOnce(this.ports, {
      run,
      nodeId,
      ordinal: attempt,
      providerKey: asker.providerKey,
      until,
      ask: async (asking) => {
        await this.ports.races.reach(CALL_CLAIMED);
        const settings = requestedSettings(run.state.configurable);
        const { answer, usages } = await asker.ask(asking, { ...request, ...settings });
        return { answer: storableAnswer(answer), usages };
      },
    });
    if (!reply) return undefined;
    if (reply.kind === 'outage') return failed(call, reply.error);
    if (reply.answer.kind === 'failed') return failed(call, reply.answer.error);
    return { kind: 'model-answered', nodeId, attempt, outputs: reply.answer.value };
  }

  private askerOf(call: NodeCall): Asker | undefined {
    const { access, mocks } = this.models;
    if (isMock(call)) return mocks && mockAsker(call, mocks);
    return access && modelAsker(access);
  }
}

/** By its node, or by the run: the request says that a caller may do so (host specification §3.2). */
function isMock({ config, run }: NodeCall): boolean {
  return config['provider'] === MOCK_PROVIDER || run.state.configurable?.['mockProvider'] !== undefined;
}

type Asker = {
  readonly providerKey: string;
  readonly ask: (asking: Asking, request: NodeRequest) => Promise<Answered>;
};

function modelAsker({ model, providerKey, timeoutMs }: NonNullable<NodeModels['access']>): Asker {
  return {
    providerKey,
    ask: async (asking, { temperature, timeoutMs: own = timeoutMs, ...request }) => {
      const rest = { timeoutMs: own, ...(temperature !== undefined && { temperature }) };
      const answer = await model.ask({ ...request, ...rest, ...asking });
      return { answer: outputsOf(answer), usages: answer.usages };
    },
  };
}

/** It bills nothing. */
function mockAsker({ run, nodeId }: NodeCall, mocks: MockProgramStore): Asker {
  const { tenantId, runId } = run;
  return {
    providerKey: MOCK_PROVIDER,
    ask: async ({ invocationId }, request) => {
      const given = await mocks.take({ tenantId, runId, nodeId, invocationId });
      const answer = given ? mockAnswerOf(request, given) : ({ kind: 'failed', error: exhausted() } as const);
      return { answer, usages: [] };
    },
  };
}

function exhausted(): RunError {
  return callError('mock_program_exhausted', 'The provider mock has no answer left for the node.');
}

function failed({ nodeId, attempt }: NodeCall, error: RunError): NodeOutcome {
  return { kind: 'model-failed', nodeId, attempt, error };
}
