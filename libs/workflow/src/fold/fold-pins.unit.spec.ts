import type { NewRunEvent, WorkflowRunState } from '@palimpsest/contracts';
import { node, workflow } from '../testing/definitions.js';
import { TestRun } from '../testing/test-run.js';
import { foldWorkflowRun } from './fold-workflow-run.js';

const context = {
  transcriptTokenBudget: 4000,
  tokenCounter: 'chars',
  keepLastTurns: 2,
  strategy: 'none',
} as const;
const counts = { o200k_base: 1, cl100k_base: 2, chars: 30 };
const added = (pinId: string): NewRunEvent => ({
  type: 'palimpsest.pin.added',
  nodeId: `pin:${pinId}`,
  payload: { pinId, artifactId: `art_${'a'.repeat(22)}` },
  counts,
  schemaVersion: 1,
});
const removed = (pinId: string): NewRunEvent => ({
  type: 'palimpsest.pin.removed',
  nodeId: `pin:${pinId}`,
  payload: { pinId },
  schemaVersion: 1,
});

function folded(state: WorkflowRunState, ...events: readonly NewRunEvent[]): WorkflowRunState {
  const timestamp = '1970-01-01T00:00:09.000Z';
  return events.reduce(
    (before, event) => foldWorkflowRun(before, { ...event, sequence: before.lastSequence + 1, timestamp }),
    state,
  );
}

describe("a run's pins", () => {
  const started = { ...new TestRun(workflow([node('a')])).state, context };

  it('are in its state as long as they stand, counted in its unit', () => {
    const two = folded(started, added('pin_a'), added('pin_b'));
    expect(two.pins).toEqual({ pin_a: { sequence: 1, tokens: 30 }, pin_b: { sequence: 2, tokens: 30 } });
    expect(folded(two, removed('pin_a')).pins).toEqual({ pin_b: { sequence: 2, tokens: 30 } });
    const none = folded(two, removed('pin_a'), removed('pin_b'));
    expect(none).toEqual({ ...started, lastSequence: 4 });
    expect(none).not.toHaveProperty('pins');
  });

  it('are none where a run has no windows', () => {
    const { context: _none, ...without } = started;
    expect(folded(without, added('pin_a'))).toEqual({ ...without, lastSequence: 1 });
  });

  it.each(['provider.usage', 'context.summarized', 'palimpsest.window.planned'])(
    'like all else stay as they are with %s, save the place',
    (type) => {
      const state = folded(started, added('pin_a'));
      const event = { type, nodeId: 'a', payload: {}, counts, schemaVersion: 1 };
      expect(folded(state, event)).toEqual({ ...state, lastSequence: 2 });
    },
  );

  it('may come between a request and its suspension, which names the request', () => {
    const run = new TestRun(workflow([node('gate', 'approvalGate')]));
    run.advance();
    const whole = [...run.log];
    const cut = whole.findIndex(({ type }) => type === 'interrupt.requested') + 1;
    const other = new TestRun(workflow([node('gate', 'approvalGate')]));
    other.record(whole.slice(1, cut));
    other.record([added('pin_a')]);
    other.advance();
    expect(other.last).toMatchObject({ type: 'node.suspended', causationId: whole[cut]?.causationId });
  });
});
