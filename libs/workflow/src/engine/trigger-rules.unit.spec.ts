import type { TriggerRule } from '@palimpsest/contracts';
import { edge, node, workflow } from '../testing/definitions.js';
import { TestRun } from '../testing/test-run.js';
import { readinessOf, type EdgeOutcome } from './trigger-rules.js';

const [P, S, F, K] = ['pending', 'success', 'failed', 'skipped'] as const;

describe('readiness', () => {
  const table: readonly [TriggerRule, readonly EdgeOutcome[], string][] = [
    ['all_success', [S, S], 'start'],
    ['all_success', [S, P], 'wait'],
    ['all_success', [P, F], 'skip'],
    ['all_success', [P, K], 'skip'],
    ['any_success', [S, P], 'start'],
    ['any_success', [S, F], 'start'],
    ['any_success', [F, P], 'wait'],
    ['any_success', [F, K], 'skip'],
    ['all_complete', [S, P], 'wait'],
    ['all_complete', [F, K], 'start'],
    ['all_complete', [K, K], 'start'],
    ['none_failed', [P, S], 'wait'],
    ['none_failed', [S, K], 'start'],
    ['none_failed', [P, F], 'skip'],
    ['any_failed', [F, P], 'start'],
    ['any_failed', [S, P], 'wait'],
    ['any_failed', [S, K], 'skip'],
  ];

  it.each(table)('%s of %j: %s', (rule, outcomes, readiness) => {
    expect(readinessOf(rule, outcomes)).toBe(readiness);
  });
});

/** `a` succeeds, `b` fails (or not), `c` is skipped, and `x` comes after all of them. */
function run(rule: TriggerRule, sources: readonly ('ok' | 'bad' | 'skipped' | 'waits')[]): TestRun {
  const types = { ok: 'noop', bad: 'fail', skipped: 'noop', waits: 'approvalGate' };
  const nodes = sources.map((kind, place) =>
    node(`n${place}`, types[kind], { disabled: kind === 'skipped' }),
  );
  // So that a failure does not end the run whatever the rule is.
  const rescued = nodes.map(({ id }) => edge(id, 'rescue', { triggerRule: 'all_complete' }));
  const edges = nodes.map(({ id }) => edge(id, 'x', { triggerRule: rule }));
  return new TestRun(workflow([...nodes, node('x'), node('rescue')], [...edges, ...rescued]));
}

describe('a node with incoming edges', () => {
  it.each([
    ['all_success', ['ok', 'ok'], 'completed'],
    ['all_success', ['ok', 'skipped'], 'skipped'],
    ['all_success', ['waits', 'bad'], 'skipped'],
    ['all_success', ['ok', 'waits'], undefined],
    ['any_success', ['ok', 'waits'], 'completed'],
    ['any_success', ['bad', 'skipped'], 'skipped'],
    ['all_complete', ['ok', 'bad', 'skipped'], 'completed'],
    ['all_complete', ['bad', 'waits'], undefined],
    ['none_failed', ['ok', 'skipped'], 'completed'],
    ['none_failed', ['waits', 'bad'], 'skipped'],
    ['any_failed', ['waits', 'bad'], 'completed'],
    ['any_failed', ['ok', 'skipped'], 'skipped'],
  ] as const)('under %s after %j is %s', (rule, sources, status) => {
    const played = run(rule, sources);
    played.advance();
    expect(played.state.nodes['x']?.status).toBe(status);
  });

  it('says why it is skipped', () => {
    const played = run('all_success', ['skipped']);
    played.advance();
    expect(played.payloads('node.skipped')).toEqual([
      { nodeId: 'n0', reason: 'disabled' },
      { nodeId: 'x', reason: 'trigger-rule', triggerRule: 'all_success' },
    ]);
    expect(played.status).toBe('completed');
  });
});

describe('a failure', () => {
  it.each([
    ['any_failed', 'completed'],
    ['all_complete', 'completed'],
    ['all_success', 'failed'],
    ['any_success', 'failed'],
    ['none_failed', 'failed'],
  ] as const)('before an edge of %s leaves the run %s', (triggerRule, status) => {
    const definition = workflow([node('a', 'fail'), node('b')], [edge('a', 'b', { triggerRule })]);
    const played = new TestRun(definition);
    played.advance();
    expect(played.status).toBe(status);
  });

  it('that no edge waits for ends the run at once', () => {
    const definition = workflow([node('gate', 'approvalGate'), node('bad', 'fail'), node('later')]);
    const played = new TestRun(definition);
    played.advance();
    expect(played.types.slice(4)).toEqual([
      'node.started bad',
      'node.failed bad',
      'node.cancelled gate',
      'run.failed',
    ]);
    expect(played.last?.payload).toEqual({
      error: { code: 'node_failed', message: 'The node is made to fail.' },
      failedNodeId: 'bad',
    });
    expect(played.payloads('node.cancelled')).toMatchObject([{ nodeId: 'gate', reason: 'run-failed' }]);
  });
});
