import type { WorkflowRunState } from '@palimpsest/contracts';
import { advance } from '../engine/advance.js';
import { foldWorkflowRun } from '../fold/fold-workflow-run.js';
import { node, workflow } from '../testing/definitions.js';
import { TestRun } from '../testing/test-run.js';

const gated = () =>
  new TestRun(
    workflow([node('done'), node('gate', 'approvalGate'), node('wait', 'delay', { config: { delayMs: 9 } })]),
  );

describe('cancelling', () => {
  it('ends a run that has not begun', () => {
    const run = gated().cancel();
    expect(run.types).toEqual(['run.started', 'run.cancelled']);
    expect(run.last?.payload).toEqual({});
    expect(run.status).toBe('cancelled');
  });

  it('ends what is open, then the run', () => {
    const run = gated();
    run.advance();
    run.cancel({ reason: 'enough', cancelledBy: 'user-1' });
    expect(run.types.slice(-3)).toEqual(['node.cancelled gate', 'node.cancelled wait', 'run.cancelled']);
    expect(run.payloads('node.cancelled')).toEqual([
      { nodeId: 'gate', reason: 'run-cancelled' },
      { nodeId: 'wait', reason: 'run-cancelled' },
    ]);
    expect(run.last?.payload).toEqual({ reason: 'enough', cancelledBy: 'user-1' });
    expect(run.advance(100)).toMatchObject({ events: [], status: 'cancelled' });
  });

  it('is gone on with where only the nodes are cancelled: nothing completes such a run', () => {
    const cancelled = gated();
    cancelled.advance();
    cancelled.cancel();
    const run = gated();
    const state = cancelled.log
      .filter(({ type }) => type !== 'run.cancelled')
      .reduce<WorkflowRunState | undefined>(foldWorkflowRun, undefined) as WorkflowRunState;
    const { events, status } = advance({
      runId: 'branch',
      definition: run.definition,
      state,
      head: state.lastSequence,
      now: new Date(0),
      childRunIdOf: () => 'none',
      redact: run.redact,
    });
    expect([events.map(({ type }) => type), status]).toEqual([['run.cancelled'], 'cancelled']);
  });

  it('by a parent says so', () => {
    const run = gated().cancel({ reason: 'enough', parentRunId: 'run-0' });
    expect(run.last?.payload).toEqual({ reason: 'parent-cancelled', parentRunId: 'run-0' });
  });

  it('does nothing to a run that has ended', () => {
    const run = gated().cancel();
    const { length } = run.log;
    expect(run.cancel().log).toHaveLength(length);
  });
});

describe('cancelling a run with children', () => {
  const parent = () => {
    const run = gated();
    run.advance();
    const payload = { childRunId: 'run-2', childWorkflowId: 'w', childStatus: 'running' };
    run.record([{ type: 'node.dispatched', nodeId: 'wait', payload, schemaVersion: 1 }]);
    return run;
  };
  const ended = (phase: string) => ({
    type: 'core.workflowChain.event',
    nodeId: 'wait',
    payload: { phase, workerId: 'w', parentRunId: 'run-1', childRunId: 'run-2' },
    schemaVersion: 1,
  });

  it('leaves the end to when they have ended', () => {
    const run = parent().cancel({ reason: 'enough', cancelledBy: 'user-1' });
    expect(run.types.slice(-2)).toEqual(['node.cancelled gate', 'node.cancelled wait']);
    expect(run.status).toBe('cancelling');
    expect(run.advance(50)).toMatchObject({ events: [], status: 'cancelling' });
    const { length } = run.log;
    expect(run.cancel().log).toHaveLength(length);
    run.record([ended('dispatch.succeeded')]);
    expect(run.advance().events).toEqual([]);
    run.record([ended('child.cancelled')]);
    expect(run.advance().status).toBe('cancelled');
    expect(run.last?.payload).toEqual({ reason: 'enough', cancelledBy: 'user-1' });
  });

  it('says that it is to end, where no node of it is open', () => {
    const run = new TestRun(workflow([node('a')]));
    const payload = { childRunId: 'run-2', childWorkflowId: 'w', childStatus: 'running' };
    run.record([{ type: 'node.dispatched', nodeId: 'a', payload, schemaVersion: 1 }]);
    run.cancel({ reason: 'enough', cancelledBy: 'user-1' });
    expect([run.last?.type, run.status]).toEqual(['palimpsest.run.cancelling', 'cancelling']);
    expect(run.advance()).toMatchObject({
      events: [],
      effect: { kind: 'end-children', childRunIds: ['run-2'] },
    });
    run.advanceOnce(run.now, { kind: 'children-ended' });
    expect(run.last).toMatchObject({
      type: 'run.cancelled',
      payload: { reason: 'enough', cancelledBy: 'user-1' },
    });
  });

  it('ends at once where they have ended before', () => {
    const run = parent();
    run.record([ended('child.completed')]);
    expect(run.state.children).toEqual([]);
    expect(run.cancel().status).toBe('cancelled');
  });
});
