import type { AskMock, JsonObject, MockKind, WorkflowDefinition } from '@palimpsest/contracts';
import { STRUCTURED_OUTPUT } from '@palimpsest/workflow';
import { logicalInvocationId } from '../invocations/logical-invocation-id.js';
import { mockAnswerOf } from './mock-answer.js';
import { MOCK_PROVIDER, type MockProgramStore } from './mock-program-store.js';

/**
 * What the provider `mock` says to a node of a replay (host specification §6.5): it takes the next answer of the node's
 * program, as the call of a run would, and the same run and node get the same again. `none` of a node that is not the
 * mock's, and where the program is at its end.
 */
export async function mockKindOf(
  mocks: MockProgramStore,
  { tenantId, runId, nodeId }: AskMock,
  { nodes }: WorkflowDefinition,
): Promise<MockKind> {
  const node = nodes.find(({ id }) => id === nodeId);
  if (node?.typeId !== STRUCTURED_OUTPUT || node.config['provider'] !== MOCK_PROVIDER)
    return { kind: 'none' };
  const call = { tenantId, runId, nodeId, ordinal: 0, providerKey: MOCK_PROVIDER };
  const given = await mocks.take({ tenantId, runId, nodeId, invocationId: logicalInvocationId(call) });
  if (!given) return { kind: 'none' };
  const schema = node.config['outputSchema'] as JsonObject;
  const answer = mockAnswerOf({ answer: { kind: 'object', name: 'output', schema } }, given);
  if (answer.kind === 'answered') return { kind: 'valid' };
  return { kind: answer.error.code === 'envelope_refusal' ? 'refusal' : 'none' };
}
