import { OrchestratorClient } from '@palimpsest/adapter-clients';
import { InProcessBus, MemoryEventLog, MemoryStreamStore } from '@palimpsest/adapter-memory';
import { ORCHESTRATOR_SUBJECTS } from '@palimpsest/contracts';
import { systemClock } from '@palimpsest/kernel';
import { KnownDefinitions } from '../definitions/known-definitions.js';
import { MemoryDefinitionStore } from '../definitions/memory-definition-store.js';
import { MemoryInvocationStore } from '../invocations/memory-invocation-store.js';
import { MemoryMockProgramStore } from '../mock-provider/memory-mock-program-store.js';
import { MemorySideEffectStore } from '../side-effects/memory-side-effect-store.js';
import { definitionOf, entryOf } from '../testing/definitions.js';
import { answerRequests, type RequestPorts } from './answer-requests.js';

let bus: InProcessBus;
let store: MemoryDefinitionStore;
let client: OrchestratorClient;

beforeEach(async () => {
  bus = new InProcessBus({ store: new MemoryStreamStore() });
  store = new MemoryDefinitionStore();
  await answerRequests(bus, ports());
  client = new OrchestratorClient(bus);
});
afterEach(() => bus.close());

/** Nothing has run yet. */
function ports(): RequestPorts {
  const known = new KnownDefinitions(store);
  const calls = {
    eventLog: new MemoryEventLog(),
    definitions: known,
    invocations: new MemoryInvocationStore(),
  };
  return { store, known, clock: systemClock, calls };
}

const read = (tenantId: string, workflowId = 'w') => client.readWorkflow({ tenantId, workflowId });

describe('workflow definitions, over the bus', () => {
  it("are registered for one tenant, and seen by it before the host's", async () => {
    const digest = 'a'.repeat(64);
    await store.put(entryOf('w', digest));
    const own = await client.registerWorkflow({ tenantId: 'acme', definition: definitionOf('w') });
    expect(own.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(await read('acme')).toEqual(own);
    expect((await read('other'))?.digest).toBe(digest);
    expect((await client.readWorkflow({ digest: own.digest }))?.definition).toEqual(definitionOf('w'));
    expect(await client.forgetRegistered('acme')).toEqual(['w']);
    expect((await read('acme'))?.digest).toBe(digest);
    expect(await client.readWorkflow({ digest: own.digest })).toEqual(own);
  });

  it('may be unknown', async () => {
    expect(await read('acme')).toBeUndefined();
    expect(await client.readWorkflow({ digest: 'b'.repeat(64) })).toBeUndefined();
    expect(await client.forgetRegistered('acme')).toEqual([]);
    expect(await client.fixtures()).toEqual([]);
  });

  it('list the fixtures', async () => {
    await store.put(entryOf('f', 'c'.repeat(64), { fixture: true }));
    await store.put(entryOf('w', 'd'.repeat(64)));
    expect(await client.fixtures()).toEqual(['f']);
  });

  it.each([
    ['its schema', { ...definitionOf('w'), nodes: [] }, 'definition.nodes'],
    ['the reserved id', definitionOf('palimpsest-external'), 'definition.id'],
    [
      'edges to nowhere',
      definitionOf('w', { edges: [{ id: 'e', sourceNodeId: 'noop', targetNodeId: 'nowhere' }] }),
      'definition.edges',
    ],
  ])('are refused for %s, with the place', async (_why, definition, field) => {
    await expect(client.registerWorkflow({ tenantId: 'acme', definition })).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: expect.stringMatching(new RegExp(`^${field}`)) as string },
    });
    expect(await read('acme')).toBeUndefined();
  });
});

describe('programs of the provider mock, over the bus', () => {
  const answer = { content: '{}', stopReason: 'end_turn' };
  const program = { tenantId: 'acme', nodeId: 'n', program: [answer] };

  it('are kept for a node of the tenant', async () => {
    const other = new InProcessBus({ store: new MemoryStreamStore() });
    const mocks = new MemoryMockProgramStore();
    await answerRequests(other, { ...ports(), mocks });
    expect(await other.request(ORCHESTRATOR_SUBJECTS.programMock, program)).toEqual({ count: 1 });
    const call = { runId: 'run-1', nodeId: 'n', invocationId: 'i' };
    expect(await mocks.take({ ...call, tenantId: 'acme' })).toEqual(answer);
    expect(await mocks.take({ ...call, tenantId: 'other' })).toBeUndefined();
    await other.close();
  });

  it('answer nothing to a replay of an unknown workflow, or where the provider is not served', async () => {
    const query = { tenantId: 'acme', runId: 'fork-1', nodeId: 'n', digest: 'e'.repeat(64) };
    expect(await client.askMock(query)).toBe('none');
    const other = new InProcessBus({ store: new MemoryStreamStore() });
    const mocks = new MemoryMockProgramStore();
    await answerRequests(other, { ...ports(), mocks });
    expect(await new OrchestratorClient(other).askMock(query)).toBe('none');
    await other.close();
  });

  it('are refused where the provider is not served', async () => {
    await expect(bus.request(ORCHESTRATOR_SUBJECTS.programMock, program)).rejects.toMatchObject({
      code: 'capability_required',
    });
  });
});

it('calls of a run that is not there cannot be verified', async () => {
  await expect(client.verifyCalls({ tenantId: 'acme', runId: 'run-x' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

describe('effects of nodes, over the bus', () => {
  it('are counted where they are served', async () => {
    const query = { tenantId: 'acme', nodeId: 'effect' };
    await expect(client.countSideEffects(query)).rejects.toMatchObject({ code: 'capability_required' });
    const other = new InProcessBus({ store: new MemoryStreamStore() });
    const sideEffects = new MemorySideEffectStore();
    await answerRequests(other, { ...ports(), sideEffects });
    await sideEffects.perform({ ...query, runId: 'run-1', invocationId: 'i' });
    expect(await new OrchestratorClient(other).countSideEffects(query)).toBe(1);
    await other.close();
  });
});
