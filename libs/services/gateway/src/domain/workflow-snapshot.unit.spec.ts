import type { JsonObject, NodeState, RunHeader, SuspendKind, WorkflowRunState } from '@palimpsest/contracts';
import { runStatusOf } from '@palimpsest/workflow';
import { awaitedOf, openInterruptAt, workflowPart } from './workflow-snapshot.js';

const requestedAt = '2026-01-01T00:00:00.000Z';

const waiting = (nodeId: string, kind: SuspendKind): NodeState => ({
  status: 'suspended',
  attempt: 0,
  suspensions: 1,
  startedAt: requestedAt,
  interrupt: {
    interruptId: `run-1:${nodeId}:1`,
    key: `run-1:${nodeId}:1`,
    kind,
    data: {},
    requestedAt,
  },
});

const state: WorkflowRunState = {
  kind: 'workflow',
  workflowDigest: 'd',
  rootRunId: 'run-1',
  inputs: {},
  variables: {},
  bounds: { maxNodeExecutions: 10, maxRunDurationMs: 60_000 },
  // As the database orders them: by length first.
  nodes: { b: waiting('b', 'approval'), aa: waiting('aa', 'clarification') },
  lastSequence: 6,
  nodeExecutions: 2,
  activeMs: 0,
  children: [],
};
const run = { state: state as unknown as JsonObject };
const origin: RunHeader['origin'] = { runId: 'run-0', fromSequence: 0, mode: 'replay' };

describe('a run that waits in two nodes since the same moment', () => {
  it('tells of one of them, in its status, its current node and its interrupt', () => {
    expect(runStatusOf(state)).toBe('waiting-input');
    expect(workflowPart(state).currentNodeId).toBe('aa');
    expect(awaitedOf(run)).toMatchObject({ nodeId: 'aa', interrupt: { kind: 'clarification' } });
  });

  it('takes answers to either', () => {
    expect(openInterruptAt(run, 'b')?.kind).toBe('approval');
    expect(openInterruptAt(run, 'aa')?.kind).toBe('clarification');
    expect(openInterruptAt(run, 'constructor')).toBeUndefined();
  });
});

it('a replay waits for nothing, and a branch waits anew', () => {
  expect(awaitedOf({ ...run, origin })).toBeUndefined();
  expect(openInterruptAt({ ...run, origin }, 'b')).toBeUndefined();
  expect(awaitedOf({ ...run, origin: { ...origin, mode: 'branch' } })?.nodeId).toBe('aa');
});
