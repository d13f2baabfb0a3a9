import type { WorkflowDefinition } from '@palimpsest/contracts';
import { MemoryMockProgramStore } from './memory-mock-program-store.js';
import { mockKindOf } from './mock-kind.js';

const position = { x: 0, y: 0 };
const outputSchema = { type: 'object', required: ['valid'] };
const nodes = [
  { id: 'ask', typeId: 'core.ai.structuredOutput', config: { provider: 'mock', outputSchema } },
  { id: 'real', typeId: 'core.ai.structuredOutput', config: { provider: 'openai', outputSchema } },
  { id: 'say', typeId: 'core.ai.callPrompt', config: { provider: 'mock' } },
].map((node) => ({ ...node, name: node.id, position, inputs: {} }));
const definition: WorkflowDefinition = {
  id: 'w',
  name: 'w',
  version: '1',
  nodes,
  edges: [],
  triggers: [],
  variables: [],
  metadata: {},
  settings: {},
};

const VALID = { content: '{"valid":true}', stopReason: 'end_turn' };
const REFUSAL = { content: '', stopReason: 'safety', refusalText: 'no' };

let mocks: MemoryMockProgramStore;
beforeEach(() => (mocks = new MemoryMockProgramStore()));

async function kind(runId: string, nodeId = 'ask'): Promise<string> {
  const query = { tenantId: 'acme', runId, nodeId, digest: '0'.repeat(64) };
  return (await mockKindOf(mocks, query, definition)).kind;
}

describe("the mock's answer to a node of a replay", () => {
  it('is the next of its program, and stays it', async () => {
    await mocks.program({ tenantId: 'acme', nodeId: 'ask', program: [VALID, REFUSAL] });
    expect([await kind('one'), await kind('one'), await kind('two'), await kind('two')]).toEqual([
      'valid',
      'valid',
      'refusal',
      'refusal',
    ]);
    expect(await kind('three')).toBe('none');
  });

  it.each([
    ['a cut one', { content: '{', stopReason: 'max_tokens' }],
    ['no JSON', { content: 'x', stopReason: 'end_turn' }],
    ['none that fits', { content: '{}', stopReason: 'end_turn' }],
  ])('is neither valid nor a refusal where it is %s', async (_which, answer) => {
    await mocks.program({ tenantId: 'acme', nodeId: 'ask', program: [answer] });
    expect(await kind('one')).toBe('none');
  });

  it('is none of other providers, of other nodes and of nobody', async () => {
    for (const nodeId of ['real', 'say', 'unknown']) {
      await mocks.program({ tenantId: 'acme', nodeId, program: [VALID] });
      expect(await kind('one', nodeId)).toBe('none');
    }
    expect(await kind('one')).toBe('none');
  });
});
