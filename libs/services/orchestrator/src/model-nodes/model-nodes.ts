import type { RunError } from '@palimpsest/contracts';
import { requirePermit } from '@palimpsest/kernel';
import { askOnce } from '../invocations/ask-once.js';
import type { InvocationPorts } from '../invocations/invocation-ports.js';
import type { ModelAnswers, NodeCall, NodeOutcome } from '../orchestrator-ports.js';
import { storableAnswer } from './kept-outputs.js';
import { nodeRequestOf } from './model-node-request.js';
import { nodeAsker, type NodeModels } from './node-asker.js';

/** Has a model of the host's provider answer for nodes of the types `core.ai.*`. */
export class ModelNodes implements ModelAnswers {
  constructor(
    private readonly ports: InvocationPorts,
    private readonly models: NodeModels,
  ) {}

  async answer(call: NodeCall): Promise<NodeOutcome | undefined> {
    requirePermit(call.permit, call.run, 'model-node');
    const asker = nodeAsker(call, this.models);
    if ('error' in asker) return failed(call, asker.error);
    const asked = nodeRequestOf(call, call.run.state.configurable);
    if ('error' in asked) return failed(call, asked.error);
    const { run, permit, nodeId, attempt, until } = call;
    const { providerKey, name } = asker;
    const reply = await askOnce(this.ports, {
      ...{ run, permit, nodeId, ordinal: attempt, until, providerKey, name },
      request: () => Promise.resolve(asked.request),
      ask: async (request, asking) => {
        const { answer, usages } = await asker.ask(request, { ...asking, timeoutMs: asked.timeoutMs });
        return { answer: storableAnswer(answer), usages };
      },
    });
    if (!reply) return undefined;
    if (reply.kind === 'outage') return failed(call, reply.error);
    if (reply.answer.kind === 'failed') return failed(call, reply.answer.error);
    return { kind: 'model-answered', nodeId, attempt, outputs: reply.answer.value };
  }
}

function failed({ nodeId, attempt }: NodeCall, error: RunError): NodeOutcome {
  return { kind: 'model-failed', nodeId, attempt, error };
}
