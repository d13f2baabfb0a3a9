import {
  confidenceEscalatedSchema,
  orchestratorDecidedSchema,
  orchestratorDecisionSchema,
  workflowChainEventSchema,
} from './loop-events.js';

const decision = { kind: 'next-worker', nextWorkerIds: ['w'] };
const handOff = { workerId: 'w', parentRunId: 'p' };
const ofChild = { ...handOff, childRunId: 'c' };
const error = { code: 'c', message: 'm' };

describe('a decision', () => {
  it.each([
    decision,
    { ...decision, confidence: 0 },
    { kind: 'ask-user', prompt: '?' },
    { kind: 'terminate' },
    { kind: 'terminate', reason: 'r', confidence: 1, successCriteria: [{ key: 'k', met: true }] },
  ])('may be %j', (value) => {
    expect(orchestratorDecisionSchema.safeParse(value).success).toBe(true);
  });

  it.each([
    {},
    { kind: 'clarify', prompt: '?' },
    { kind: 'next-worker' },
    { kind: 'next-worker', nextWorkerIds: ['x'.repeat(257)] },
    { ...decision, confidence: 1.1 },
    { ...decision, stray: 1 },
    { kind: 'ask-user', prompt: '?', confidence: 1 },
    { kind: 'terminate', reason: '' },
  ])('may not be %j', (value) => {
    expect(orchestratorDecisionSchema.safeParse(value).success).toBe(false);
  });
});

describe('runOrchestrator.decided', () => {
  it.each([
    [{ agentId: 'abc', decision, iteration: 1 }, true],
    [{ agentId: 'ab', decision, iteration: 1 }, false],
    [{ agentId: 'abc', decision, iteration: 0 }, false],
    [{ agentId: 'abc', decision }, false],
    [{ agentId: 'abc', decision, iteration: 1, nodeId: 'n' }, false],
  ])('%j: %s', (payload, isOne) => {
    expect(orchestratorDecidedSchema.safeParse(payload).success).toBe(isOne);
  });
});

describe('core.workflowChain.event', () => {
  it.each([
    { phase: 'dispatch.began', ...handOff },
    { phase: 'dispatch.failed', ...handOff, error },
    { phase: 'dispatch.succeeded', ...ofChild },
    { phase: 'child.completed', ...ofChild },
    { phase: 'child.failed', ...ofChild, error },
    { phase: 'child.cancelled', ...ofChild, error },
    { phase: 'output.harvested', ...ofChild, harvestedKeys: [] },
  ])('may be %j', (payload) => {
    expect(workflowChainEventSchema.safeParse(payload).success).toBe(true);
    expect(workflowChainEventSchema.safeParse({ ...payload, nodeId: 'n' }).success).toBe(false);
    const { parentRunId: _left, ...without } = payload;
    expect(workflowChainEventSchema.safeParse(without).success).toBe(false);
  });

  it.each([
    { phase: 'dispatch.began', ...ofChild },
    { phase: 'dispatch.failed', ...ofChild, error },
    { phase: 'dispatch.succeeded', ...handOff },
    { phase: 'child.failed', ...handOff, error },
    { phase: 'child.completed', ...ofChild, error },
    { phase: 'output.harvested', ...ofChild },
    { phase: 'child.completed', ...ofChild, harvestedKeys: [] },
    { phase: 'dispatch.retried', ...handOff },
  ])('may not be %j', (payload) => {
    expect(workflowChainEventSchema.safeParse(payload).success).toBe(false);
  });
});

describe('core.workflowChain.confidence-escalated', () => {
  const payload = {
    confidence: 0.3,
    floor: 0.5,
    escalationKind: 'escalate',
    parentRunId: 'p',
    originalDecision: decision,
  };

  it.each([
    [{}, true],
    [{ workerId: 'w' }, true],
    [{ floor: 0.4 }, false],
    [{ confidence: -0.1 }, false],
    [{ escalationKind: 'approval' }, false],
    [{ originalDecision: 'w' }, false],
    [{ iteration: 1 }, false],
  ])('with %j: %s', (changes, isOne) => {
    expect(confidenceEscalatedSchema.safeParse({ ...payload, ...changes }).success).toBe(isOne);
  });
});
