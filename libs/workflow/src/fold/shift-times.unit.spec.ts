import type { WorkflowRunState } from '@palimpsest/contracts';
import { shiftTimes } from './shift-times.js';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
const history = { attempt: 0, suspensions: 0 };

function stateAt(seconds: number): WorkflowRunState {
  const interrupt = {
    interruptId: 'i',
    key: 'i',
    kind: 'approval',
    data: {},
    requestedAt: at(seconds),
  } as const;
  return {
    kind: 'workflow',
    workflowDigest: 'd',
    rootRunId: 'r',
    inputs: {},
    variables: {},
    bounds: { maxNodeExecutions: 1, maxRunDurationMs: 1 },
    lastSequence: 0,
    nodeExecutions: 0,
    activeMs: 5,
    activeSince: at(seconds),
    children: [],
    nodes: {
      a: { status: 'running', ...history, startedAt: at(seconds) },
      b: { status: 'running', ...history, startedAt: at(seconds), requested: interrupt },
      c: { status: 'suspended', ...history, startedAt: at(seconds), interrupt },
      d: { status: 'retrying', ...history, since: at(seconds), delayMs: 10 },
      e: { status: 'completed', ...history, outputs: {} },
      f: { status: 'failed', ...history, error: { code: 'c', message: 'm' } },
      g: { status: 'skipped', ...history, reason: 'r' },
      h: { status: 'cancelled', ...history, reason: 'r' },
    },
  };
}

describe('times that are shifted', () => {
  it('are all of them, and nothing else', () => {
    expect(shiftTimes(stateAt(1), 41_000)).toEqual(stateAt(42));
    const { activeSince: _, ...suspended } = stateAt(1);
    const { activeSince: __, ...later } = stateAt(9);
    expect(shiftTimes(suspended, 8000)).toEqual(later);
  });
});
