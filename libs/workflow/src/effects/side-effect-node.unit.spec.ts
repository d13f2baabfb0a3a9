import { edge, node, workflow } from '../testing/definitions.js';
import { LoopRun } from '../testing/loop-run.js';

const effect = node('effect', 'conformance.side-effect');
const asked = (attempt: number) => ({
  kind: 'perform',
  nodeId: 'effect',
  typeId: 'core.conformance.side-effect',
  attempt,
});
const performed = { kind: 'performed', nodeId: 'effect', attempt: 0, outputs: { performed: true } } as const;
const error = { code: 'capability_required', message: 'no' };

describe('a node that has an effect outside', () => {
  it('asks for it once it is started, and completes with what came of it', () => {
    const run = new LoopRun(workflow([effect, node('after')], [edge('effect', 'after')]));
    expect(run.advance().effect).toEqual(asked(0));
    expect(run.types).toEqual(['run.started', 'node.started effect']);
    run.settle();
    expect(run.performed).toEqual(['effect 0']);
    expect(run.payloads('node.completed')[0]).toEqual({ nodeId: 'effect', outputs: { performed: true } });
    expect(run.status).toBe('completed');
  });

  it('fails with what stood against it', () => {
    const run = new LoopRun(workflow([effect]));
    run.advance();
    run.advanceWith({ kind: 'not-performed', nodeId: 'effect', attempt: 0, error });
    expect(run.payloads('node.failed')).toEqual([{ nodeId: 'effect', error, attempts: 1 }]);
    expect(run.status).toBe('failed');
  });

  it('has another one with the next attempt', () => {
    const run = new LoopRun(workflow([{ ...effect, settings: { maxRetries: 1 } }]));
    run.advance();
    run.advanceWith({
      kind: 'not-performed',
      nodeId: 'effect',
      attempt: 0,
      error: { ...error, retryable: true },
    });
    expect(run.advance(60_000).effect).toEqual(asked(1));
    // What came of the first attempt is not the second one's.
    expect(run.advanceWith(performed).events).toEqual([]);
    run.settle();
    expect([run.performed, run.status]).toEqual([['effect 1'], 'completed']);
  });

  it.each([
    ['another node', { ...performed, nodeId: 'other' }],
    ['another attempt', { ...performed, attempt: 1 }],
  ])('does not take what came of the effect of %s', (_which, outcome) => {
    const run = new LoopRun(workflow([effect]));
    run.advance();
    expect(run.advanceWith(outcome).events).toEqual([]);
  });

  it('fails at its limit of time', () => {
    const run = new LoopRun(workflow([{ ...effect, settings: { timeout: 500 } }]));
    expect(run.advance().wakeAt).toEqual(new Date(501));
    run.advance(501);
    expect(run.payloads('node.failed')[0]).toMatchObject({ error: { code: 'node_timeout' } });
  });
});
