import type { NewRunEvent, WorkflowStarted } from '@palimpsest/contracts';
import { node, workflow } from '../testing/definitions.js';
import { TestRun } from '../testing/test-run.js';
import { foldWorkflowRun, startedWorkflowRun } from './fold-workflow-run.js';
import { runStatusOf } from './run-status-of.js';
import { waitingNode } from './waiting-node.js';

const started: WorkflowStarted = {
  workflowId: 'w',
  workflowDigest: 'd',
  rootRunId: 'root',
  inputs: { a: 1, b: null },
  defaults: { a: 2, c: 3 },
  bounds: { maxNodeExecutions: 5, maxRunDurationMs: 100 },
  engineVersion: '1',
  transport: 'rest',
  owner: { tenant: 'acme' },
};
const AT = '2026-01-01T00:00:00.000Z';

function after(state: ReturnType<typeof startedWorkflowRun>, event: Partial<NewRunEvent>) {
  const full = { type: 'x', payload: {}, schemaVersion: 1, ...event };
  return foldWorkflowRun(state, { ...full, sequence: state.lastSequence + 1, timestamp: AT });
}

describe('a state', () => {
  it('begins with what run.started holds, inputs before defaults', () => {
    const more = {
      context: {
        transcriptTokenBudget: 4000,
        tokenCounter: 'chars' as const,
        keepLastTurns: 2,
        strategy: 'none' as const,
      },
      configurable: { model: 'm' },
      tags: ['t'],
      metadata: { m: 1 },
      scopeId: 's',
      parentRunId: 'p',
      replayFlags: [1],
    };
    expect(startedWorkflowRun({ ...started, ...more }, AT)).toEqual({
      kind: 'workflow',
      workflowDigest: 'd',
      rootRunId: 'root',
      inputs: { a: 1, b: null },
      variables: { a: 1, b: null, c: 3 },
      bounds: started.bounds,
      nodes: {},
      lastSequence: 0,
      nodeExecutions: 0,
      activeMs: 0,
      activeSince: AT,
      children: [],
      ...more,
    });
  });

  it('keeps what a fork has to repeat', () => {
    const fork = { ...startedWorkflowRun(started, AT), replayTarget: 7 };
    const event = { type: 'run.started', payload: started, schemaVersion: 1, sequence: 0, timestamp: AT };
    expect(foldWorkflowRun(fork, event as never).replayTarget).toBe(7);
  });

  it('is not changed by what it does not know, save its place', () => {
    const state = startedWorkflowRun(started, AT);
    for (const type of ['vendor.thing', 'toString', 'context.summarized']) {
      expect(after(state, { type, nodeId: 'n' })).toEqual({ ...state, lastSequence: 1 });
    }
  });

  it.each([
    'interrupt.requested',
    'node.suspended',
    'interrupt.resolved',
    'approval.received',
    'clarification.resolved',
    'node.resumed',
  ])('is not changed by %s where the node is not there for it', (type) => {
    const state = startedWorkflowRun(started, AT);
    expect(after(state, { type, nodeId: 'n', payload: { nodeId: 'n' } })).toEqual({
      ...state,
      lastSequence: 1,
    });
    expect(after(state, { type, payload: {} })).toEqual({ ...state, lastSequence: 1 });
  });

  it.each([
    ['run-duration', { code: 'run_timeout', details: { elapsedMs: 6 } }],
    ['node-executions', { code: 'recursion_limit_exceeded' }],
    ['loop-iterations', { code: 'loop_limit_exceeded', details: { iteration: 6 } }],
    ['budget-tokens', undefined],
  ])('after a breach of %s fails with %j', (kind, error) => {
    const state = startedWorkflowRun(started, AT);
    const breached = after(state, { type: 'cap.breached', payload: { kind, limit: 5, observed: 6 } });
    if (error) expect(breached.failing).toMatchObject({ error });
    else expect(breached.failing).toBeUndefined();
  });

  it('counts suspensions of a node over its attempts, so that no interrupt has the id of another', () => {
    const retrying = { status: 'retrying', attempt: 1, suspensions: 2, since: AT, delayMs: 5 } as const;
    const state = { ...startedWorkflowRun(started, AT), nodes: { n: retrying } };
    const payload = { nodeId: 'n', typeId: 'core.approvalGate', attempt: 1 };
    expect(after(state, { type: 'node.started', nodeId: 'n', payload })).toMatchObject({
      nodeExecutions: 1,
      nodes: { n: { status: 'running', attempt: 1, suspensions: 2 } },
    });
  });

  it('remembers children until they have ended, each once', () => {
    const dispatched = { type: 'node.dispatched', nodeId: 'n', payload: { childRunId: 'c' } };
    const state = after(after(startedWorkflowRun(started, AT), dispatched), dispatched);
    expect(state.children).toEqual(['c']);
    const chain = (phase: string) => ({
      type: 'core.workflowChain.event',
      payload: { phase, childRunId: 'c' },
    });
    expect(after(state, chain('dispatch.succeeded')).children).toEqual(['c']);
    expect(after(state, chain('child.failed')).children).toEqual([]);
  });
});

describe('a status', () => {
  it.each([
    ['approvalGate', {}, 'waiting-approval'],
    ['clarificationGate', { questions: [{ id: 'q', question: '?' }] }, 'waiting-input'],
    ['interrupt', { kind: 'external-event', eventType: 'e', correlation: {} }, 'waiting-external'],
    ['interrupt', { kind: 'custom' }, 'waiting-external'],
    ['delay', { delayMs: 5 }, 'running'],
  ])('of a run at %s %j is %s', (type, config, status) => {
    const run = new TestRun(workflow([node('n', type, { config })]));
    expect(run.status).toBe('pending');
    run.advance();
    expect(run.status).toBe(status);
  });

  it('names the node that was asked first, and of several the first by key', () => {
    const run = new TestRun(workflow(['c', 'b', 'a'].map((id) => node(id, 'approvalGate'))));
    run.advance();
    expect(waitingNode(run.state)).toMatchObject({ nodeId: 'a', interrupt: { key: 'run-1:a:1' } });
    run.cancel();
    expect(waitingNode(run.state)).toBeUndefined();
  });

  it('of an interrupt of low confidence is that of an approval', () => {
    const interrupt = {
      interruptId: 'i',
      key: 'i',
      data: {},
      requestedAt: AT,
      kind: 'low-confidence',
    } as const;
    const suspended = { status: 'suspended', attempt: 0, suspensions: 1, startedAt: AT, interrupt } as const;
    const state = { ...startedWorkflowRun(started, AT), nodes: { n: suspended } };
    expect(runStatusOf(state)).toBe('waiting-approval');
  });
});
