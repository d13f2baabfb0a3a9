import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { edge, node, workflow } from '../testing/definitions.js';
import { TestRun } from '../testing/test-run.js';

function waiting(type: string, config: JsonObject = {}): TestRun {
  const run = new TestRun(workflow([node('gate', type, { name: 'Decide', config })]));
  run.advance();
  return run;
}

const approval = (config: JsonObject = {}) => waiting('approvalGate', config);
const ALL = ['accept', 'reject', 'refine', 'edit-accept', 'ask'];
const clarification = (questions: JsonValue = [{ id: 'q1', question: 'Which?' }]) =>
  waiting('clarificationGate', { questions });
const externalEvent = () =>
  waiting('interrupt', {
    kind: 'external-event',
    eventType: 'order.completed',
    correlation: { orderId: 'o-1', status: 'completed' },
    timeoutMs: 60_000,
  });

describe('an approval', () => {
  it('is requested and suspends its node (host specification §4.9)', () => {
    const run = approval({ description: 'Look here.', timeoutMs: 0 });
    expect(run.status).toBe('waiting-approval');
    expect(run.payloads('interrupt.requested')).toEqual([
      {
        kind: 'approval',
        key: 'run-1:gate:1',
        data: {
          artifactId: 'run-1:gate',
          artifactType: 'approval',
          title: 'Decide',
          description: 'Look here.',
          actions: ['accept', 'reject'],
        },
        resumeSchema: expect.objectContaining({ required: ['action'] }),
      },
    ]);
    expect(run.last).toMatchObject({
      type: 'node.suspended',
      nodeId: 'gate',
      causationId: 'evt-run-1-2',
      payload: { nodeId: 'gate', interruptId: 'run-1:gate:1', kind: 'approval', key: 'run-1:gate:1' },
    });
  });

  it('that is accepted lets the run go on', () => {
    const run = approval().resolve('gate', { action: 'accept', comment: 'fine', other: 1 });
    expect(run.status).toBe('running');
    run.advance();
    const answer = { action: 'accept', comment: 'fine' };
    expect(
      run.log.slice(4).map(({ type, payload, causationId }) => ({ type, payload, causationId })),
    ).toEqual([
      {
        type: 'interrupt.resolved',
        payload: {
          nodeId: 'gate',
          interruptId: 'run-1:gate:1',
          kind: 'approval',
          resumeValue: answer,
          resolvedBy: 'user-1',
        },
      },
      { type: 'approval.received', payload: { nodeId: 'gate', ...answer, decidedBy: 'user-1' } },
      {
        type: 'node.resumed',
        payload: { nodeId: 'gate', interruptId: 'run-1:gate:1', resumeValue: answer },
        causationId: 'evt-run-1-4',
      },
      { type: 'node.completed', payload: { nodeId: 'gate', outputs: answer } },
      { type: 'run.completed', payload: { outputs: answer } },
    ]);
  });

  it('that is rejected fails its node', () => {
    const run = approval().resolve('gate', { action: 'reject' });
    expect(run.advance().status).toBe('failed');
    expect(run.last?.payload).toMatchObject({ error: { code: 'approval_rejected' }, failedNodeId: 'gate' });
  });

  it.each([
    ['approved', 'accept'],
    ['approve', 'accept'],
    ['rejected', 'reject'],
    ['reject', 'reject'],
  ])('takes the older decision "%s" for %s', (decision, action) => {
    const run = approval().resolve('gate', { decision });
    expect(run.payloads('approval.received')).toMatchObject([{ action }]);
  });

  it.each([
    { action: 'refine', refineFeedback: { scope: 'section', text: 'shorter' } },
    { action: 'edit-accept', editedArtifactData: null },
  ])('keeps what comes with %j', (answer) => {
    const run = approval({ actions: ALL }).resolve('gate', answer);
    expect(run.advance().status).toBe('completed');
    expect(run.state.outputs).toEqual(answer);
  });

  it.each([
    ['an action that is unknown', { action: 'maybe' }, 'resumeValue.action'],
    [
      'an action that is not offered',
      { action: 'refine', refineFeedback: { scope: 'whole' } },
      'resumeValue.action',
    ],
    ['no action', {}, 'resumeValue.action'],
    ['an unknown decision', { decision: 'perhaps' }, 'resumeValue.action'],
    ['no object', 'accept', 'resumeValue'],
    ['a list', ['accept'], 'resumeValue'],
    ['null', null, 'resumeValue'],
  ])('refuses %s and goes on waiting', (_, answer, field) => {
    const run = approval();
    expect(() => run.resolve('gate', answer)).toThrow(
      expect.objectContaining({ code: 'validation_error', details: { field } }),
    );
    expect(run.status).toBe('waiting-approval');
  });

  it.each([
    ['refine without feedback', { action: 'refine' }, 'resumeValue.refineFeedback'],
    ['refine without a scope', { action: 'refine', refineFeedback: {} }, 'resumeValue.refineFeedback'],
    [
      'refine of a strange scope',
      { action: 'refine', refineFeedback: { scope: 'x' } },
      'resumeValue.refineFeedback',
    ],
    ['an edit without data', { action: 'edit-accept' }, 'resumeValue.editedArtifactData'],
    ['ask, which answers nothing', { action: 'ask' }, 'resumeValue.action'],
  ])('refuses %s', (_, answer, field) => {
    expect(() => approval({ actions: ALL }).resolve('gate', answer)).toThrow(
      expect.objectContaining({ code: 'validation_error', details: { field } }),
    );
  });

  it('that nobody answers in time fails its node, and nobody is named', () => {
    const run = approval({ timeoutMs: 1000 });
    expect(run.advance().wakeAt).toEqual(new Date(1000));
    expect(run.advance(999).events).toEqual([]);
    run.advance(1000);
    expect(run.payloads('approval.received')).toEqual([{ nodeId: 'gate', action: 'timeout' }]);
    expect(run.last?.payload).toMatchObject({ error: { code: 'interrupt_timeout' }, failedNodeId: 'gate' });
  });
});

describe('a clarification', () => {
  it.each([
    ['an object', { answers: { q1: 'blue' } }],
    ['a list', { answers: [{ id: 'q1', answer: 'blue' }] }],
  ])('takes answers as %s', (_, answer) => {
    const run = clarification();
    expect(run.status).toBe('waiting-input');
    run.resolve('gate', answer);
    expect(run.payloads('clarification.resolved')).toEqual([{ nodeId: 'gate', answers: { q1: 'blue' } }]);
    expect(run.advance().status).toBe('completed');
    expect(run.state.outputs).toEqual({ answers: { q1: 'blue' } });
  });

  it('shows its questions closed', () => {
    const questions = [{ id: 'q1', question: 'Which?', schema: { type: 'string' } }];
    const run = waiting('clarificationGate', { questions, contextType: 'order', more: 1 });
    expect(run.payloads('interrupt.requested')).toMatchObject([
      { data: { questions, contextType: 'order' } },
    ]);
    expect(run.payloads('interrupt.requested')[0]?.['data']).not.toHaveProperty('more');
  });

  it.each([
    ['an answer is missing', { answers: {} }, 'resumeValue.answers.q1'],
    ['a question is unknown', { answers: { q1: 'x', q2: 'y' } }, 'resumeValue.answers'],
    ['a question is called like a method', { answers: { q1: 'x', toString: 'y' } }, 'resumeValue.answers'],
    ['an answer does not fit', { answers: { q1: 7 } }, 'resumeValue.answers.q1'],
    [
      'an answer comes twice',
      {
        answers: [
          { id: 'q1', answer: 'a' },
          { id: 'q1', answer: 'b' },
        ],
      },
      'resumeValue.answers.1',
    ],
    ['a list holds no answers', { answers: ['blue'] }, 'resumeValue.answers.0'],
    ['there are none', {}, 'resumeValue.answers'],
    ['it is no object', 'blue', 'resumeValue.answers'],
  ])('refuses where %s', (_, answer, field) => {
    const run = clarification([
      { id: 'q1', question: 'Which?', schema: { type: 'string', pattern: '^(a|b)*l?' } },
    ]);
    expect(() => run.resolve('gate', answer)).toThrow(
      expect.objectContaining({ code: 'validation_error', details: { field } }),
    );
    expect(run.status).toBe('waiting-input');
  });

  it('that nobody answers in time fails its node alone', () => {
    const run = waiting('clarificationGate', { questions: [{ id: 'q1', question: '?' }], timeoutMs: 10 });
    run.advance(10);
    expect(run.types.slice(-2)).toEqual(['node.failed gate', 'run.failed']);
  });
});

describe('an external event', () => {
  it.each([
    ['as its members', { orderId: 'o-1', status: 'completed', reference: 'x' }],
    ['apart', { eventType: 'order.completed', correlation: { orderId: 'o-1', status: 'completed' } }],
  ])('resumes with the correlation %s', (_, event) => {
    const run = externalEvent();
    expect(run.status).toBe('waiting-external');
    run.resolve('gate', event);
    expect(run.types.slice(-2)).toEqual(['interrupt.resolved gate', 'node.resumed gate']);
    expect(run.advance().status).toBe('completed');
    expect(run.state.outputs).toEqual({ event });
  });

  it.each([
    ['another value', { orderId: 'o-2', status: 'completed' }, 'resumeValue.orderId'],
    ['a missing value', { orderId: 'o-1' }, 'resumeValue.status'],
    ['another type', { eventType: 'x', orderId: 'o-1', status: 'completed' }, 'resumeValue.eventType'],
    ['another correlation apart', { correlation: { status: 'completed' } }, 'resumeValue.orderId'],
  ])('is refused for %s, and the node goes on waiting', (_, event, field) => {
    const run = externalEvent();
    expect(() => run.resolve('gate', event)).toThrow(
      expect.objectContaining({ code: 'correlation_mismatch', details: { nodeId: 'gate', field } }),
    );
    expect(run.status).toBe('waiting-external');
  });

  it('is an object', () => {
    expect(() => externalEvent().resolve('gate', 'completed')).toThrow(
      expect.objectContaining({ code: 'validation_error', details: { field: 'resumeValue' } }),
    );
  });
});

describe('an interrupt of its own kind', () => {
  const custom = () =>
    waiting('interrupt', {
      kind: 'custom',
      customKind: 'pick',
      payload: [1],
      resumeSchema: { type: 'integer' },
    });

  it('gives its answer', () => {
    const run = custom();
    expect(run.payloads('interrupt.requested')).toMatchObject([
      { data: { customKind: 'pick', payload: [1] } },
    ]);
    expect(run.status).toBe('waiting-external');
    run.resolve('gate', 5).advance();
    expect(run.state.outputs).toEqual({ value: 5 });
  });

  it('refuses what does not fit its schema', () => {
    expect(() => custom().resolve('gate', 'five')).toThrow(
      expect.objectContaining({ code: 'validation_error', details: { field: 'resumeValue' } }),
    );
  });

  it.each(['approval', 'clarification'])('may be one of the gates: %s', (kind) => {
    const run = waiting('interrupt', { kind, questions: [{ id: 'q1', question: '?' }] });
    const answer = kind === 'approval' ? { action: 'accept' } : { answers: { q1: 1 } };
    expect(run.resolve('gate', answer).advance().status).toBe('completed');
  });
});

describe('an answer', () => {
  const refused = (run: TestRun, code: string, more = {}, nodeId = 'gate') =>
    expect(() => run.resolve(nodeId, { action: 'accept' }, more)).toThrow(expect.objectContaining({ code }));

  it('to a node that never asked is not found', () => {
    const run = new TestRun(
      workflow([node('done'), node('gate', 'approvalGate'), node('other')], [edge('gate', 'other')]),
    );
    refused(run, 'interrupt_not_found');
    run.advance();
    refused(run, 'interrupt_not_found', {}, 'other');
    refused(run, 'interrupt_not_found', {}, 'done');
    refused(run, 'interrupt_not_found', {}, 'unknown');
    refused(run, 'interrupt_not_found', {}, 'constructor');
  });

  it('after another one is too late, whether or not the node has gone on', () => {
    const run = approval().resolve('gate', { action: 'accept' });
    refused(run, 'interrupt_already_resolved');
    run.advance();
    refused(run, 'interrupt_already_resolved');
  });

  it('with the token of another interrupt is too late', () => {
    refused(approval(), 'interrupt_already_resolved', { interruptId: 'run-1:gate:0' });
    expect(approval().resolve('gate', { action: 'accept' }, { interruptId: 'run-1:gate:1' }).status).toBe(
      'running',
    );
  });

  it('after its time has run out is too late', () => {
    const run = approval({ timeoutMs: 5 });
    run.advance(5);
    refused(run, 'interrupt_already_resolved');
  });

  it('on a run that failed meanwhile is too late', () => {
    const run = new TestRun(
      workflow(
        [node('gate', 'approvalGate'), node('d', 'delay', { config: { delayMs: 5 } }), node('bad', 'fail')],
        [edge('d', 'bad')],
      ),
    );
    run.advance();
    run.advance(5);
    refused(run, 'interrupt_already_resolved');
  });

  it('while the run is failing is too late', () => {
    const delays = Array.from({ length: 500 }, (_, place) =>
      node(`d${place}`, 'delay', { config: { delayMs: 9 } }),
    );
    const nodes = [...delays, node('gate', 'approvalGate'), node('d', 'delay', { config: { delayMs: 5 } })];
    const run = new TestRun(workflow([...nodes, node('bad', 'fail')], [edge('d', 'bad')]));
    run.advance();
    expect(run.advanceOnce(5).more).toBe(true);
    refused(run, 'interrupt_already_resolved');
  });

  it('on a cancelled run is refused', () => {
    refused(approval().cancel(), 'interrupt_cancelled');
  });

  it('that was given before the run was cancelled stays given', () => {
    const run = approval().resolve('gate', { action: 'accept' });
    run.cancel();
    expect(run.status).toBe('cancelled');
    refused(run, 'interrupt_cancelled');
  });

  it('as large as may be is kept', () => {
    const around = JSON.stringify({ answers: { q1: '' } }).length;
    const run = clarification().resolve('gate', { answers: { q1: 'x'.repeat(47 * 1024 - around) } });
    expect(run.advance().status).toBe('completed');
    expect(() =>
      clarification().resolve('gate', { answers: { q1: 'x'.repeat(47 * 1024 - around + 1) } }),
    ).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
  });

  it('that is too large is refused', () => {
    const run = approval();
    expect(() => run.resolve('gate', { action: 'accept', comment: 'x'.repeat(50_000) })).toThrow(
      expect.objectContaining({ code: 'payload_too_large' }),
    );
  });
});

describe('two interrupts at once', () => {
  it('make the run wait for the one that was asked first', () => {
    const run = new TestRun(
      workflow(
        [
          node('late', 'approvalGate'),
          node('d', 'delay', { config: { delayMs: 5 } }),
          node('early', 'clarificationGate', { config: { questions: [{ id: 'q1', question: '?' }] } }),
        ],
        [edge('d', 'late')],
      ),
    );
    run.advance();
    expect(run.advance(5).status).toBe('waiting-input');
    run.resolve('early', { answers: { q1: 1 } });
    expect(run.advance().status).toBe('waiting-approval');
    expect(run.resolve('late', { action: 'accept' }).advance().status).toBe('completed');
  });
});
