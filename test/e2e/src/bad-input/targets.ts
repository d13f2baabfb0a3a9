import { CONTEXT_TARGETS } from './context-targets.js';
import type { Operation } from './openapi.js';
import { WORKGROUP_TARGETS } from './workgroup-targets.js';
import { OWN_LOOP, type World } from './world.js';

type ByParameter<Value> = Readonly<Record<string, Value>>;

/** An id that has something behind it, and is wrong all the same. */
export type WrongId = { readonly label: string; readonly id: string; readonly statuses: readonly number[] };

/** A request that its operation takes, and what would be wrong in the place of its parameters. */
export type Target = {
  readonly params?: ByParameter<string>;
  readonly query?: ByParameter<string>;
  readonly body?: unknown;
  /** Names of body fields that hold text of any kind. */
  readonly freeText?: readonly string[];
  readonly wrongIds?: ByParameter<readonly WrongId[]>;
  /** Path parameters that name what need not be there before: an unknown name is no mistake. */
  readonly freeNames?: readonly string[];
  /** The body is judged by the contract, whose refusal is an answer like any other. */
  readonly judgesBody?: boolean;
};

export type MakeTarget = (world: World) => Promise<Target>;

/** What each operation needs to be there. Those without parameters and bodies need nothing. */
const TARGETS: Readonly<Record<string, MakeTarget>> = {
  createRun: async () => ({
    body: { ...OWN_LOOP, inputs: { a: 1 }, scopeId: 'a', tags: ['a'], metadata: { a: 1 } },
  }),
  readRun: async (world) => ofRun(world, await world.suspended()),
  cancelRun: async (world) => ({
    ...(await ofRun(world, await world.suspended())),
    body: { reason: 'enough' },
  }),
  bulkCancelRuns: async (world) => ({ body: { runIds: [await world.suspended()], reason: 'enough' } }),
  resolveInterrupt: resolving,
  inspectInterrupt: async (world) => ofToken(world),
  resolveByToken: async (world) => ({ ...(await ofToken(world)), body: ACCEPT }),
  readWorkflow: async () => ({ params: { workflowId: 'conformance-noop' } }),
  forkRun: async (world) => ({
    ...(await ofRun(world, await world.ownLoop())),
    body: { mode: 'branch', fromSeq: 1 },
  }),
  appendTurns: async (world) => ({
    ...(await writingToOwnLoop(world)),
    body: { messages: [{ role: 'user', content: 'And tomorrow?' }] },
    // A part of another kind is read by its text.
    freeText: ['content', 'text', 'refusal', 'arguments'],
  }),
  addPin: async (world) => ({
    ...(await writingToOwnLoop(world)),
    body: { text: 'Answer in French.' },
    freeText: ['text'],
  }),
  listPins: async (world) => ofOwnLoop(world),
  removePin: removingPin,
  // A run that has ended still tells the window it told last.
  planWindow: async (world) => ({
    ...(await ofOwnLoop(world)),
    body: {},
    query: { format: 'openai' },
  }),
  finishRun: async (world) => ({ ...(await writingToOwnLoop(world)), body: {} }),
  readWindow: async (world) => {
    const { params, ...others } = await ofOwnLoop(world);
    return { ...others, params: { ...params, iteration: '1' }, query: { format: 'openai' } };
  },
  readUsage: async (world) => ({ ...(await ofOwnLoop(world)), query: { fromIteration: '1', limit: '10' } }),
  verifyRun: async (world) => ofRun(world, await world.ownLoop()),
  readCertificate: async (world) => ofRun(world, await world.ownLoop()),
  diffRuns: async (world) => ({
    ...(await ofRun(world, await world.finishedOwnLoop())),
    query: { with: await world.suspended(), fromIteration: '1', limit: '10' },
  }),
  readEvents: async (world) => ofRun(world, await world.finishedOwnLoop()),
  pollEvents: async (world) => ofRun(world, await world.finishedOwnLoop()),
  readArtifact: ofArtifact,
  eraseArtifact: ofArtifact,
  eraseContent: async (world) => ofRun(world, await world.finishedOwnLoop()),
  registerWorkflow: async () => ({
    body: {
      workflowId: 'bad-input',
      nodes: [{ nodeId: 'one', typeId: 'core.noop', config: {} }],
      variables: [{ name: 'a', type: 'string' }],
    },
  }),
  readTestEvents: async (world) => ofRun(world, await world.finishedOwnLoop()),
  readCacheKey: async () => ({
    body: { provider: 'a', model: 'b', messages: [{ role: 'user', content: 'c' }] },
    // Hashed, and kept nowhere.
    freeText: ['provider', 'model', 'messages'],
  }),
  readTranscriptWindow: async (world) => ({ query: { runId: await world.ownLoop(), iteration: '1' } }),
  programMock: async () => ({
    body: { nodeId: 'structured-call', program: [{ content: '{"valid":true}', stopReason: 'end_turn' }] },
  }),
  countSideEffects: async () => ({ query: { nodeId: 'effect' } }),
  emitProviderUsage: async () => ({
    body: { provider: 'a', model: 'b', inputTokens: 1, outputTokens: 2 },
    // Looked at, and kept nowhere.
    freeText: ['provider', 'model'],
  }),
  runAgentLoop: async () => ({ body: { turns: 2 } }),
  ...WORKGROUP_TARGETS,
  ...CONTEXT_TARGETS,
};

const ACCEPT = { resumeValue: { action: 'accept' } };

type RunTarget = Required<Pick<Target, 'params' | 'wrongIds'>>;

async function ofRun(world: World, runId: string, others: readonly WrongId[] = []): Promise<RunTarget> {
  const foreign = [await world.ownLoop(world.theirs), await world.suspended(world.theirs)];
  return {
    params: { runId },
    wrongIds: {
      runId: [...foreign.map((id) => ({ label: 'of another tenant', id, statuses: [404] })), ...others],
    },
  };
}

/** For what is there for runs whose loop is the caller's: one of a workflow is as good as none, or takes nothing. */
async function ofOwnLoop(world: World, others: readonly WrongId[] = []): Promise<RunTarget> {
  const ofWorkflows = [await world.suspended(), await world.completedWorkflowRun()];
  return ofRun(world, await world.ownLoop(), [
    ...ofWorkflows.map((id) => ({ label: 'a run of a workflow', id, statuses: [404, 409] })),
    ...others,
  ]);
}

async function writingToOwnLoop(world: World): Promise<RunTarget> {
  return ofOwnLoop(world, [
    { label: 'a run that has ended', id: await world.finishedOwnLoop(), statuses: [409] },
  ]);
}

async function removingPin(world: World): Promise<Target> {
  const { mine, theirs } = world;
  const { params, wrongIds } = await writingToOwnLoop(world);
  const pinOf = async (runId: string, api = mine): Promise<string> =>
    String((await api.ok(api.post(`/v1/runs/${runId}/pins`, { text: 'In French.' }))).pinId);
  const absent = (label: string, id: string): WrongId => ({ label, id, statuses: [404] });
  return {
    params: { ...params, pinId: await pinOf(String(params['runId'])) },
    wrongIds: {
      ...wrongIds,
      pinId: [
        absent('of another run', await pinOf(await world.ownLoop())),
        absent('of another tenant', await pinOf(await world.ownLoop(theirs), theirs)),
      ],
    },
  };
}

async function resolving(world: World): Promise<Target> {
  const others = [
    { label: 'a run whose loop is the caller’s', id: await world.ownLoop(), statuses: [404, 409] },
    { label: 'one that has ended', id: await world.finishedOwnLoop(), statuses: [404, 409] },
    { label: 'one that was cancelled', id: await world.cancelled(), statuses: [422] },
    { label: 'one that waits for nothing', id: await world.completedWorkflowRun(), statuses: [404, 409] },
  ];
  const { params, wrongIds } = await ofRun(world, await world.suspended(), others);
  return { params: { ...params, nodeId: 'gate' }, wrongIds, body: ACCEPT };
}

async function ofToken(world: World): Promise<Target> {
  const token = await world.tokenOf(await world.suspended());
  const other = await world.tokenOf(await world.suspended());
  const used = await world.suspended();
  const usedToken = await world.tokenOf(used);
  await world.mine.ok(world.mine.post(`/v1/runs/${used}/interrupts/gate`, ACCEPT));
  const [payload = '', signature = ''] = token.split('.');
  const [, otherSignature = ''] = other.split('.');
  const forged = (label: string, id: string): WrongId => ({ label, id, statuses: [400, 404] });
  return {
    params: { token },
    wrongIds: {
      token: [
        forged('with the signature of another', `${payload}.${otherSignature}`),
        forged('without a signature', payload),
        forged('with an empty signature', `${payload}.`),
        forged('with an empty payload', `.${signature}`),
        forged('with a signature cut short', `${payload}.${signature.slice(0, -1)}`),
        forged('with something behind it', `${token}.${signature}`),
        { label: 'one that was used', id: usedToken, statuses: [409] },
      ],
    },
  };
}

async function ofArtifact(world: World): Promise<Target> {
  const { theirs } = world;
  const [own, other, foreign] = [await world.ownLoop(), await world.ownLoop(), await world.ownLoop(theirs)];
  const absent = (label: string, id: string): WrongId => ({ label, id, statuses: [404] });
  return {
    params: { runId: own, artifactId: await world.artifactOf(own) },
    wrongIds: {
      runId: [absent('of another tenant', foreign), absent('another run', other)],
      artifactId: [
        absent('of another tenant', await world.artifactOf(foreign, theirs)),
        absent('of another run', await world.artifactOf(other)),
      ],
    },
  };
}

/** @throws UnknownOperationError where an operation needs something and nobody has said what. */
export async function targetOf(operation: Operation, world: World): Promise<Target> {
  const make = TARGETS[operation.id];
  if (make) return make(world);
  if (operation.pathParameters.length > 0 || operation.body) throw new UnknownOperationError(operation.id);
  return {};
}

export class UnknownOperationError extends Error {
  constructor(operationId: string) {
    super(`${operationId} is new: say in targets.ts (TARGETS) what a good request to it looks like.`);
  }
}
