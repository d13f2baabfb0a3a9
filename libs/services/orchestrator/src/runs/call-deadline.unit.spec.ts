import type { WorkflowRunState } from '@palimpsest/contracts';
import type { Effect } from '@palimpsest/workflow';
import { callDeadline } from './call-deadline.js';

const START = '2026-01-01T00:00:00.000Z';
const after = (milliseconds: number) => new Date(Date.parse(START) + milliseconds);
const effect = { kind: 'ask-model', nodeId: 'n' } as Effect;
const running = { status: 'running', attempt: 1, suspensions: 0, startedAt: START };

function deadline(timeout: number, changes: Partial<WorkflowRunState>, of = effect): Date | undefined {
  const bounds = { maxRunDurationMs: 1000, maxNodeExecutions: 1 };
  const state = { bounds, activeMs: 400, nodes: { n: running }, ...changes } as unknown as WorkflowRunState;
  const nodes = [{ id: 'n', settings: { timeout } }] as unknown as Parameters<
    typeof callDeadline
  >[2]['nodes'];
  return callDeadline({ state }, of, { nodes });
}

describe('the deadline of a call', () => {
  it.each([
    ['what is left of the run', 0, { activeSince: START }, 600],
    ["the node's time limit", 500, { activeSince: START }, 500],
    ['the earlier of both', 700, { activeSince: START }, 600],
  ])('is %s', (_what, timeout, changes, expected) => {
    expect(deadline(timeout, changes)).toEqual(after(expected));
  });

  it('is none for a run whose clock stands still, and a supervisor has no limit of its own', () => {
    expect(deadline(0, {})).toBeUndefined();
    expect(deadline(500, {}, { kind: 'decide', nodeId: 'n' } as Effect)).toBeUndefined();
  });
});
