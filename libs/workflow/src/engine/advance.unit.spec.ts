import type { JsonObject, WorkflowNode } from '@palimpsest/contracts';
import { chain, edge, node, workflow } from '../testing/definitions.js';
import { TestRun } from '../testing/test-run.js';

describe('a plain run', () => {
  it('is started, runs its node and completes (host specification §4.1)', () => {
    const run = new TestRun(workflow([node('noop')], [], { id: 'conformance-noop' }));
    expect(run.status).toBe('pending');
    const advanced = run.advance();
    expect(advanced).toMatchObject({ status: 'completed', more: false });
    expect(advanced).not.toHaveProperty('wakeAt');
    expect(run.log.map(({ type, payload }) => ({ type, payload })).slice(1)).toEqual([
      { type: 'node.started', payload: { nodeId: 'noop', typeId: 'core.noop', attempt: 0 } },
      { type: 'node.completed', payload: { nodeId: 'noop', outputs: {} } },
      { type: 'run.completed', payload: { outputs: {} } },
    ]);
    expect(run.advance().events).toEqual([]);
  });

  it('goes through a chain of 1000 nodes in full batches', () => {
    const run = new TestRun(chain(1000));
    const first = run.advanceOnce();
    expect(first).toMatchObject({ more: true, status: 'running' });
    expect(first.events).toHaveLength(400);
    run.advance();
    expect(run.log).toHaveLength(2 + 2000);
    expect(run.status).toBe('completed');
  });

  it('ends a batch by bytes as well', () => {
    const text = 'x'.repeat(40_000);
    const nodes = Array.from({ length: 6 }, (_, place) =>
      node(`n${place}`, 'identity', { inputs: { text: { type: 'static', value: text } } }),
    );
    const run = new TestRun(workflow([...nodes, node('last', 'noop', { outputRole: 'primary' })]));
    const first = run.advanceOnce();
    expect(first.more).toBe(false);
    const wide = new TestRun(
      workflow([...nodes, node('n6', 'identity', { inputs: { text: { type: 'static', value: text } } })]),
    );
    expect(wide.advanceOnce()).toMatchObject({ more: true });
    expect(wide.payloads('node.completed')).toHaveLength(7);
  });

  it('lets parallel branches go on in one step', () => {
    const run = new TestRun(
      workflow([node('a', 'delay', { config: { delayMs: 10 } }), node('b'), node('c')]),
    );
    run.advance();
    expect(run.types).toEqual([
      'run.started',
      'node.started a',
      'node.started b',
      'node.completed b',
      'node.started c',
      'node.completed c',
    ]);
  });

  it('is left alone below the end of a replay', () => {
    const run = new TestRun(workflow([node('a')]));
    const advanced = run.advanceOnce.bind(run);
    const replay = Object.defineProperty(run, 'state', {
      value: { ...run.state, replayTarget: 3 },
    });
    expect(replay).toBe(run);
    expect(advanced().events).toEqual([]);
  });
});

describe('outputs of a run', () => {
  const give = (id: string, value: number, more = {}) =>
    node(id, 'identity', { inputs: { value: { type: 'static', value } }, ...more });

  it.each([
    ['the primary node', [give('a', 1, { outputRole: 'primary' }), give('b', 2)], { value: 1 }],
    ['the only last node', [give('a', 1)], { value: 1 }],
    ['the only last node that completed', [give('a', 1), give('b', 2, { disabled: true })], { value: 1 }],
    ['all last nodes', [give('a', 1), give('b', 2)], { a: { value: 1 }, b: { value: 2 } }],
    ['no node', [give('a', 1, { disabled: true })], {}],
  ])('are those of %s', (_, nodes, outputs) => {
    const run = new TestRun(workflow(nodes));
    run.advance();
    expect(run.last?.payload).toEqual({ outputs });
    expect(run.state.outputs).toEqual(outputs);
  });

  it('are the variables of an identity without inputs', () => {
    const variables = [{ name: 'payload', type: 'object', required: true } as const];
    const run = new TestRun(workflow([node('echo', 'identity')], [], { variables }), {
      inputs: { payload: { deep: [1, null] } },
    });
    run.advance();
    expect(run.last?.payload).toEqual({ outputs: { payload: { deep: [1, null] } } });
    expect(run.state.variables).toEqual({ payload: { deep: [1, null] } });
  });
});

describe('a delay', () => {
  const variables = [{ name: 'delayMs', type: 'number', required: true, defaultValue: 1000 } as const];

  it('takes its length from the run and wakes at its end', () => {
    const run = new TestRun(workflow([node('wait', 'delay')], [], { variables }));
    run.now = 5;
    expect(run.advance().wakeAt).toEqual(new Date(1005));
    expect(run.advance(1004)).toMatchObject({ events: [], status: 'running', wakeAt: new Date(1005) });
    expect(run.advance(1005).status).toBe('completed');
  });

  it.each([
    ['its input', { inputs: { delayMs: { type: 'static', value: 7 } }, config: { delayMs: 8 } }, 7],
    ['its configuration', { config: { delayMs: 8, durationMs: 9 } }, 8],
    ['the other name in its configuration', { config: { durationMs: 9 } }, 9],
    ['the variable', {}, 1000],
  ] as const)('prefers %s', (_, more, delayMs) => {
    const run = new TestRun(workflow([node('wait', 'delay', more)], [], { variables }));
    run.advance();
    expect(run.payloads('node.started')).toMatchObject([{ delayMs }]);
  });

  it.each([
    ['too long', 30_001, { maxDelayMs: 30_000 }],
    ['too short', 0, { minDelayMs: 1 }],
    ['negative', -1, {}],
    ['more than a day', 86_400_001, {}],
    ['no number', 'soon', {}],
    ['absent', undefined, {}],
  ])('that is %s fails', (_, value, config) => {
    const inputs = value === undefined ? {} : { delayMs: { type: 'static', value } as const };
    const run = new TestRun(workflow([node('wait', 'delay', { inputs, config })]));
    expect(run.advance().status).toBe('failed');
    expect(run.state.error).toMatchObject({ code: 'invalid_delay' });
  });

  it.each([
    [0, {}],
    [1, { minDelayMs: 1 }],
    [30_000, { maxDelayMs: 30_000 }],
    [86_400_000, {}],
  ])('of %d is allowed within %j', (value, config) => {
    const inputs = { delayMs: { type: 'static', value } as const };
    const run = new TestRun(workflow([node('wait', 'delay', { inputs, config })]));
    run.advance();
    expect(run.payloads('node.started')).toMatchObject([{ delayMs: value }]);
  });

  it('longer than its node may run fails one millisecond after the limit', () => {
    const settings = { timeout: 1000 };
    const run = new TestRun(workflow([node('wait', 'delay', { config: { delayMs: 1001 }, settings })]));
    expect(run.advance().wakeAt).toEqual(new Date(1001));
    expect(run.advance(1000).events).toEqual([]);
    run.advance(1001);
    expect(run.state.error).toMatchObject({ code: 'node_timeout' });
  });

  it('as long as its node may run completes, however late it is looked at', () => {
    const settings = { timeout: 1000 };
    const run = new TestRun(workflow([node('wait', 'delay', { config: { delayMs: 1000 }, settings })]));
    run.advance();
    expect(run.advance(60_000).status).toBe('completed');
  });
});

describe('a node that fails', () => {
  const failing = (config: object, maxRetries?: number) =>
    new TestRun(
      workflow([
        node('bad', 'fail', {
          config: { code: 'mine', message: 'as asked', ...config },
          ...(maxRetries !== undefined && { settings: { maxRetries } }),
        }),
      ]),
    );

  it('tells its code and message', () => {
    const run = failing({});
    run.advance();
    const error = { code: 'mine', message: 'as asked' };
    expect(run.payloads('node.failed')).toEqual([{ nodeId: 'bad', error, attempts: 1 }]);
    expect(run.last?.payload).toEqual({ error, failedNodeId: 'bad' });
  });

  it('is not started again where its error is final', () => {
    const run = failing({}, 3);
    run.advance();
    expect(run.payloads('node.started')).toHaveLength(1);
  });

  it('is started again after growing delays, and then has failed', () => {
    const run = failing({ retryable: true }, 2);
    expect(run.advance()).toMatchObject({ status: 'running', wakeAt: new Date(1000) });
    expect(run.advance(999).events).toEqual([]);
    expect(run.advance(1000).wakeAt).toEqual(new Date(3000));
    expect(run.advance(3000).status).toBe('failed');
    const lastError = { code: 'mine', message: 'as asked', retryable: true };
    expect(run.payloads('node.retried')).toEqual([
      { nodeId: 'bad', attempt: 1, delayMs: 1000, lastError },
      { nodeId: 'bad', attempt: 2, delayMs: 2000, lastError },
    ]);
    expect(run.payloads('node.started').map(({ attempt }) => attempt)).toEqual([0, 1, 2]);
    expect(run.payloads('node.failed')).toMatchObject([{ attempts: 3 }]);
  });

  it('waits thirty seconds at most', () => {
    const run = failing({ retryable: true }, 7);
    let wakeAt = run.advance().wakeAt;
    while (wakeAt) wakeAt = run.advance(wakeAt.getTime()).wakeAt;
    expect(run.payloads('node.retried').map(({ delayMs }) => delayMs)).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ]);
  });

  it('follows the workflow where it has no number of retries of its own', () => {
    const bad = node('bad', 'fail', { config: { retryable: true } });
    const run = new TestRun(workflow([bad], [], { settings: { maxRetries: 1 } }));
    run.advance();
    expect(run.types.at(-1)).toBe('node.retried bad');
  });
});

describe('what a definition says', () => {
  const SECRET = 'the secret';
  const redact = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replaceAll(SECRET, '-')) as Value;
  const logOf = (...nodes: WorkflowNode[]) => {
    const run = new TestRun(workflow(nodes), { redact });
    run.advance();
    return run.log;
  };

  it('is recorded without secrets, and so is what is made of it', () => {
    const inputs = { given: { type: 'expression', expression: '"the sec" + "ret"' } };
    const log = logOf(
      node('made', 'identity', { inputs }),
      node('ask', 'approvalGate', { config: { title: SECRET } }),
      node('bad', 'fail', { config: { message: SECRET } }),
    );
    expect(JSON.stringify(log)).not.toContain(SECRET);
    const payloads = Object.fromEntries(log.map(({ type, payload }) => [type, payload]));
    expect(payloads).toMatchObject({
      'node.completed': { outputs: { given: '-' } },
      'interrupt.requested': { data: { title: '-' } },
      'run.failed': { error: { message: '-' } },
    });
  });

  it('is fitted into its event after that', () => {
    const longer = (value: JsonObject) => ({ ...value, more: 'x'.repeat(48 * 1024) });
    const run = new TestRun(workflow([node('noop')]), { redact: longer });
    run.advance();
    expect(run.last?.payload).toMatchObject({ error: { code: 'output_too_large' } });
  });

  it('is left alone where events are compared with it', () => {
    const config = { kind: 'external-event', eventType: 'e', correlation: { id: SECRET } };
    expect(logOf(node('wait', 'interrupt', { config }))[2]).toMatchObject({
      payload: { data: { correlation: { id: SECRET } } },
    });
  });
});

describe('edges', () => {
  it('deliver what they name, before the ports of the node', () => {
    const a = node('a', 'identity', {
      inputs: { x: { type: 'static', value: 1 }, y: { type: 'static', value: 2 } },
    });
    const b = node('b', 'identity', {
      inputs: {
        sum: { type: 'expression', expression: 'nodes.a.x + nodes.a.y' },
        direct: { type: 'connection', nodeId: 'a', outputKey: 'y' },
        gone: { type: 'connection', nodeId: 'a', outputKey: 'z' },
      },
    });
    const run = new TestRun(
      workflow(
        [a, b],
        [
          edge('a', 'b', { sourceOutput: 'x', targetInput: 'one' }),
          edge('a', 'b', { id: 'whole', targetInput: 'all' }),
        ],
      ),
    );
    run.advance();
    expect(run.last?.payload).toEqual({ outputs: { one: 1, all: { x: 1, y: 2 }, sum: 3, direct: 2 } });
  });

  it('whose condition does not hold count as skipped', () => {
    const condition = { type: 'equals', right: 1 } as const;
    const a = node('a', 'identity', { inputs: { x: { type: 'static', value: 2 } } });
    const run = new TestRun(workflow([a, node('b')], [edge('a', 'b', { sourceOutput: 'x', condition })]));
    run.advance();
    expect(run.state.nodes['b']?.status).toBe('skipped');
  });

  it('whose condition cannot be evaluated fail the run, and tell no content', () => {
    const condition = { type: 'expression', expression: 'variables.secret > 3' } as const;
    const run = new TestRun(workflow([node('a'), node('b')], [edge('a', 'b', { condition })]), {
      inputs: { secret: 'do not tell' },
    });
    run.advance();
    expect(run.last?.payload).toEqual({
      error: {
        code: 'expression_error',
        message: 'An expression or a condition could not be evaluated.',
        details: { edgeId: 'a-b' },
      },
    });
  });

  it('see only what lies upstream, however fast another branch is', () => {
    const condition = { type: 'expression', expression: '"other" in nodes' } as const;
    const run = new TestRun(workflow([node('other'), node('a'), node('b')], [edge('a', 'b', { condition })]));
    run.advance();
    expect(run.state.nodes['b']?.status).toBe('skipped');
  });

  it('are looked at again where a node that their condition names has ended since', () => {
    const condition = { type: 'expression', expression: 'has(nodes.slow)' } as const;
    const definition = workflow(
      [
        node('slow', 'delay', { config: { delayMs: 5 } }),
        node('fast'),
        node('a'),
        node('gate', 'approvalGate'),
        node('b'),
      ],
      [
        edge('slow', 'a', { triggerRule: 'any_success' }),
        edge('fast', 'a', { triggerRule: 'any_success' }),
        edge('a', 'b', { condition, triggerRule: 'any_success' }),
        edge('gate', 'b', { triggerRule: 'any_success' }),
      ],
    );
    const run = new TestRun(definition);
    run.advance();
    expect(run.state.nodes['b']).toBeUndefined();
    run.advance(5);
    expect(run.state.nodes['b']?.status).toBe('completed');
  });
});

describe('within one step', () => {
  it('a condition is looked at again where a node that it names has ended', () => {
    const condition = { type: 'expression', expression: 'has(nodes.slow)' } as const;
    const any = { triggerRule: 'any_success' } as const;
    const run = new TestRun(
      workflow(
        [node('fast'), node('a'), node('gate', 'approvalGate'), node('b'), node('slow')],
        [
          edge('fast', 'a', any),
          edge('slow', 'a', any),
          edge('a', 'b', { condition, ...any }),
          edge('gate', 'b', any),
        ],
      ),
    );
    run.advance();
    expect(run.state.nodes['b']?.status).toBe('completed');
  });

  it('an edge whose condition does not hold delivers nothing', () => {
    const when = (right: boolean) => ({ type: 'equals', left: true, right }) as const;
    const any = { triggerRule: 'any_success' } as const;
    const run = new TestRun(
      workflow(
        [node('a'), node('b', 'identity')],
        [
          edge('a', 'b', { id: 'no', condition: when(false), targetInput: 'no', ...any }),
          edge('a', 'b', { id: 'yes', condition: when(true), targetInput: 'yes', ...any }),
        ],
      ),
    );
    run.advance();
    expect(run.last?.payload).toEqual({ outputs: { yes: {} } });
  });

  it('an input sees only what lies upstream', () => {
    const inputs = { seen: { type: 'expression', expression: 'nodes' } };
    const run = new TestRun(
      workflow([node('other'), node('a'), node('b', 'identity', { inputs })], [edge('a', 'b')]),
    );
    run.advance();
    expect(run.state.nodes['b']).toMatchObject({ outputs: { seen: { a: {} } } });
    expect(run.last?.payload).toEqual({ outputs: { other: {}, b: { seen: { a: {} } } } });
  });
});

describe('an input that cannot be evaluated', () => {
  it('fails its node, and tells no content', () => {
    const inputs = { x: { type: 'expression', expression: 'variables.secret + 1' } as const };
    const run = new TestRun(workflow([node('a', 'identity', { inputs })]), { inputs: { secret: 'hidden' } });
    run.advance();
    expect(run.payloads('node.failed')).toEqual([
      {
        nodeId: 'a',
        attempts: 1,
        error: {
          code: 'expression_error',
          message: 'An expression or a condition could not be evaluated.',
          details: { input: 'x' },
        },
      },
    ]);
  });
});

describe('a node of a type that this engine does not run', () => {
  it('fails', () => {
    const run = new TestRun(workflow([node('a', 'unheard')]));
    run.advance();
    expect(run.state.error).toMatchObject({ code: 'capability_required' });
  });
});
