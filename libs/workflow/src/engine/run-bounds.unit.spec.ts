import { chain, edge, node, workflow } from '../testing/definitions.js';
import { TestRun } from '../testing/test-run.js';

describe('the bound of node executions', () => {
  it('lets as many nodes start as it says', () => {
    const run = new TestRun(chain(6), { configurable: { recursionLimit: 6 } });
    expect(run.advance().status).toBe('completed');
  });

  it('refuses the next one (host specification §5.7)', () => {
    const run = new TestRun(chain(6), { configurable: { recursionLimit: 3 } });
    expect(run.advance().status).toBe('failed');
    expect(run.payloads('node.started')).toHaveLength(3);
    expect(run.payloads('cap.breached')).toEqual([
      { kind: 'node-executions', limit: 3, observed: 4, nodeId: 'n3' },
    ]);
    expect(run.last?.payload).toMatchObject({
      error: { code: 'recursion_limit_exceeded' },
      failedNodeId: 'n3',
    });
  });

  it('counts repeated attempts, and cancels what is open', () => {
    const bad = node('bad', 'fail', { config: { retryable: true }, settings: { maxRetries: 5 } });
    const run = new TestRun(workflow([node('gate', 'approvalGate'), bad]), {
      bounds: { maxNodeExecutions: 2 },
    });
    run.advance();
    run.advance(1000);
    expect(run.types.slice(-4)).toEqual([
      'cap.breached bad',
      'node.cancelled gate',
      'node.cancelled bad',
      'run.failed',
    ]);
  });
});

describe('the bound of duration', () => {
  const wait = () =>
    new TestRun(workflow([node('wait', 'delay', { config: { delayMs: 5000 } })]), {
      configurable: { runTimeoutMs: 1000 },
    });

  it('is not broken while it is reached', () => {
    const run = wait();
    expect(run.advance().wakeAt).toEqual(new Date(1001));
    expect(run.advance(1000)).toMatchObject({ events: [], wakeAt: new Date(1001) });
  });

  it('is broken by one millisecond more', () => {
    const run = wait();
    run.advance();
    run.advance(1001);
    expect(run.types.slice(2)).toEqual(['cap.breached', 'node.cancelled wait', 'run.failed']);
    expect(run.payloads('cap.breached')).toEqual([{ kind: 'run-duration', limit: 1000, observed: 1001 }]);
    expect(run.last?.payload).toMatchObject({ error: { code: 'run_timeout', details: { elapsedMs: 1001 } } });
  });

  it('does not count time in which the run only waits for an answer', () => {
    const definition = workflow(
      [node('gate', 'approvalGate'), node('wait', 'delay', { config: { delayMs: 900 } })],
      [edge('gate', 'wait')],
    );
    const run = new TestRun(definition, { configurable: { runTimeoutMs: 1000 } });
    expect(run.advance(60)).not.toHaveProperty('wakeAt');
    run.now = 500_000;
    run.resolve('gate', { action: 'accept' });
    expect(run.advance()).toMatchObject({ wakeAt: new Date(500_900) });
    expect(run.state).toMatchObject({ activeMs: 60 });
    expect(run.advance(500_900).status).toBe('completed');
    expect(run.state.activeMs).toBe(960);
  });

  it('counts time in which one branch waits and another one runs', () => {
    const run = new TestRun(
      workflow([node('gate', 'approvalGate'), node('wait', 'delay', { config: { delayMs: 5000 } })]),
      { configurable: { runTimeoutMs: 1000 } },
    );
    run.advance();
    expect(run.status).toBe('waiting-approval');
    expect(run.advance(1001).status).toBe('failed');
  });

  it('takes a clock that went back for one that stands still', () => {
    const run = new TestRun(workflow([node('gate', 'approvalGate')]), { startAt: 900 });
    run.advance(100);
    expect(run.status).toBe('waiting-approval');
    expect(run.state.activeMs).toBe(0);
  });
});

describe('the bound of outputs', () => {
  const give = (id: string, length: number) =>
    node(id, 'identity', { inputs: { t: { type: 'static', value: 'x'.repeat(length) } } });
  /** `{"t":""}` */
  const AROUND = 8;

  it('lets a node give as much', () => {
    const run = new TestRun(workflow([give('a', 48 * 1024 - AROUND)]));
    expect(run.advance().status).toBe('completed');
  });

  it('fails a node that gives a byte more', () => {
    const run = new TestRun(workflow([give('a', 48 * 1024 - AROUND + 1)]));
    expect(run.advance().status).toBe('failed');
    expect(run.last?.payload).toMatchObject({ error: { code: 'output_too_large' }, failedNodeId: 'a' });
  });

  it('fails a run whose last nodes give more together', () => {
    const run = new TestRun(workflow([give('a', 30_000), give('b', 30_000)]));
    expect(run.advance().status).toBe('failed');
    expect(run.state.error).toMatchObject({ code: 'output_too_large' });
  });
});

describe('the bound of a state', () => {
  const filled = (count: number, length = 40_000) => {
    const nodes = Array.from({ length: count }, (_, place) =>
      node(`n${place}`, 'identity', { inputs: { t: { type: 'static', value: 'x'.repeat(length) } } }),
    );
    return new TestRun(workflow([...nodes, node('gate', 'approvalGate')]));
  };

  it('lets a run hold a lot', () => {
    expect(filled(9).advance().status).toBe('waiting-approval');
  });

  it('fails a run that holds more, and what is open is cancelled', () => {
    const run = filled(10);
    expect(run.advance().status).toBe('failed');
    expect(run.state.error).toMatchObject({ code: 'state_too_large' });
  });

  it('is remembered where cancelling made the state small again', () => {
    const gates = Array.from({ length: 30 }, (_, place) =>
      node(`g${place}`, 'approvalGate', { config: { description: 'x'.repeat(14_000) } }),
    );
    const run = new TestRun(workflow(gates));
    expect(run.advance().status).toBe('failed');
    expect(run.state.error).toMatchObject({ code: 'state_too_large' });
    expect(run.payloads('node.cancelled').filter((payload) => 'failing' in payload)).toHaveLength(1);
  });
});

describe('a run with more open nodes than a batch takes', () => {
  const delays = () =>
    new TestRun(
      workflow(
        [
          ...Array.from({ length: 700 }, (_, place) =>
            node(`d${place}`, 'delay', { config: { delayMs: 9000 } }),
          ),
          node('last', 'delay', { config: { delayMs: 5 } }),
          node('bad', 'fail'),
        ],
        [edge('last', 'bad')],
      ),
    );

  it('fails in several', () => {
    const run = delays();
    run.advance();
    expect(run.advanceOnce(5)).toMatchObject({ more: true, status: 'running' });
    expect(run.advance().status).toBe('failed');
    expect(run.payloads('node.cancelled')).toHaveLength(700);
    expect(run.state.error).toMatchObject({ code: 'node_failed' });
  });

  it('is cancelled in several', () => {
    const run = delays();
    run.advance();
    run.cancel({ reason: 'enough', cancelledBy: 'user-1' });
    expect(run.status).toBe('cancelling');
    expect(run.advance().status).toBe('cancelled');
    expect(run.payloads('node.cancelled')).toHaveLength(701);
    expect(run.last?.payload).toEqual({ reason: 'enough', cancelledBy: 'user-1' });
  });
});
