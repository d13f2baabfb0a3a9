import type { WorkflowRunState } from '@palimpsest/contracts';
import { foldWorkflowRun } from '../fold/fold-workflow-run.js';
import { edge, node, workflow } from '../testing/definitions.js';
import { RUN_ID, TestRun } from '../testing/test-run.js';
import { isReExecuted, reExecuted } from './re-execute.js';

const ENDS = ['node.completed', 'node.failed'];

/** Each recorded end of such a node, and what the engine decides in its place. */
function again(run: TestRun): readonly (readonly [recorded: object, decided: object | undefined])[] {
  let state: WorkflowRunState | undefined;
  return run.log.flatMap((event) => {
    const { type, nodeId = '', payload } = event;
    const before = state;
    state = foldWorkflowRun(state, event);
    if (!before || !ENDS.includes(type) || !isReExecuted(run.definition, nodeId)) return [];
    const { definition, redact } = run;
    const decided = reExecuted({ runId: RUN_ID, definition, state: before, nodeId, redact });
    return [[{ type, nodeId, payload }, decided] as const];
  });
}

function expectSame(run: TestRun, ends: number): void {
  const all = again(run);
  expect(all).toHaveLength(ends);
  for (const [recorded, decided] of all) expect(decided).toMatchObject(recorded);
}

const ask = node('ask', 'clarificationGate', {
  config: { questions: [{ id: 'q', question: 'Which?' }], timeoutMs: 1000 },
});

describe('a node that is executed again', () => {
  it('ends as it did: values, failures and delays', () => {
    const inputs = { twice: { type: 'expression', expression: 'variables.a * 2.0' } };
    const nodes = [
      node('value', 'identity', { inputs }),
      node('bad', 'fail', { config: { code: 'mine', retryable: true }, settings: { maxRetries: 1 } }),
      node('slow', 'delay', { config: { delayMs: 700 } }),
      node('limited', 'delay', { config: { delayMs: 700 }, settings: { timeout: 100 } }),
      node('last', 'noop'),
    ];
    const rules = { triggerRule: 'all_complete' } as const;
    const edges = nodes.slice(0, -1).map(({ id }) => edge(id, 'last', rules));
    const run = new TestRun(workflow(nodes, edges), { inputs: { a: 2 } });
    for (const at of [0, 101, 700, 5000]) run.advance(at);
    expect(run.status).toBe('completed');
    expectSame(run, 5);
  });

  it('ends as it did: answers, and answers that did not come', () => {
    const answered = new TestRun(workflow([node('gate', 'approvalGate'), ask]));
    answered.advance();
    answered.resolve('gate', { action: 'accept' }).resolve('ask', { answers: { q: 'that' } });
    answered.advance();
    expect(answered.status).toBe('completed');
    expectSame(answered, 2);
    const alone = new TestRun(workflow([ask]));
    alone.advance();
    alone.advance(1000);
    expect(alone.status).toBe('failed');
    expectSame(alone, 1);
  });

  it('waits where its definition says so now', () => {
    const run = new TestRun(workflow([node('n', 'noop')]));
    run.advance();
    const changed = workflow([node('n', 'approvalGate')]);
    const [started] = run.log;
    const state = [started, run.log[1]].reduce<WorkflowRunState | undefined>(
      (before, event) => (event ? foldWorkflowRun(before, event) : before),
      undefined,
    );
    if (!state) throw new TypeError('The run has started.');
    const decided = reExecuted({
      runId: RUN_ID,
      definition: changed,
      state,
      nodeId: 'n',
      redact: run.redact,
    });
    expect(decided).toMatchObject({ type: 'interrupt.requested' });
  });

  it('is none whose work reaches outside, nor one that is not there', () => {
    const definition = workflow([
      node('e', 'conformance.side-effect'),
      node('m', 'ai.callPrompt'),
      node('n'),
    ]);
    expect(['e', 'm', 'n', 'gone'].filter((id) => isReExecuted(definition, id))).toEqual(['n']);
  });
});
