import type { JsonObject, WorkflowNode } from '@palimpsest/contracts';
import { checkDefinition } from '../definition/check-definition.js';
import { offendingNode } from '../definition/offending-node.js';
import { edge, node, workflow } from '../testing/definitions.js';
import { decides, done, LoopRun, modelLoop, toWorkers } from '../testing/loop-run.js';

const messages = [{ role: 'user', content: 'Is it?' }];
const outputSchema = { type: 'object', required: ['valid'] };
const SCHEMA_NODE = { config: { provider: 'mock', outputSchema, messages } };

const structured = (id: string, more: Partial<WorkflowNode> = {}) =>
  node(id, 'ai.structuredOutput', { ...SCHEMA_NODE, ...more });
const one = (type: string, config: object, inputs: object = {}) =>
  workflow([node('ask', type, { config, inputs })]);
const fixed = (value: unknown) => ({ type: 'static', value });

function settled(run: LoopRun, answers: Parameters<LoopRun['answers']['set']>[1] = []): LoopRun {
  run.answers.set('ask', answers);
  run.settle();
  return run;
}

describe('a node that a model answers', () => {
  it('waits for the answer, which becomes its outputs', () => {
    const run = new LoopRun(workflow([structured('ask')]));
    expect(run.settle().effect).toEqual({
      kind: 'ask-model',
      nodeId: 'ask',
      typeId: 'core.ai.structuredOutput',
      attempt: 0,
      config: SCHEMA_NODE.config,
      inputs: {},
    });
    expect(run.status).toBe('running');
    settled(run, [{ outputs: { valid: true } }]);
    expect(run.types.slice(1)).toEqual(['node.started ask', 'node.completed ask', 'run.completed']);
    expect(run.state.outputs).toEqual({ valid: true });
  });

  it('is given its inputs, which go before its configuration', () => {
    const run = new LoopRun(one('ai.callPrompt', {}, { prompt: fixed('Say it.'), more: fixed(1) }));
    expect(run.settle().effect).toMatchObject({
      typeId: 'core.ai.callPrompt',
      inputs: { prompt: 'Say it.', more: 1 },
    });
  });

  it('fails with what the model failed with, and is repeated where that may pass', () => {
    const refusal = { code: 'envelope_refusal', message: 'refused' };
    expect(settled(new LoopRun(workflow([structured('ask')])), [{ error: refusal }]).state.error).toEqual(
      refusal,
    );
    const away = { code: 'service_unavailable', message: 'away', retryable: true };
    const patient = new LoopRun(workflow([structured('ask', { settings: { maxRetries: 2 } })]));
    settled(patient, [{ error: away }, { outputs: { valid: true } }]);
    expect(patient.types.slice(-1)).toEqual(['node.retried ask']);
    patient.now = 1000;
    expect(patient.settle().status).toBe('completed');
    expect(patient.payloads('node.started').map(({ attempt }) => attempt)).toEqual([0, 1]);
  });

  it('takes no answer to another node or attempt', () => {
    const run = new LoopRun(workflow([structured('ask')]));
    run.advance();
    const answered = { kind: 'model-answered', outputs: {} } as const;
    const failed = { kind: 'model-failed', error: { code: 'c', message: 'm' } } as const;
    for (const outcome of [answered, failed]) {
      expect(run.advanceWith({ ...outcome, nodeId: 'other', attempt: 0 }).events).toEqual([]);
      expect(run.advanceWith({ ...outcome, nodeId: 'ask', attempt: 1 }).events).toEqual([]);
    }
  });

  it('records no secret, and no more than a node may', () => {
    const redact = (value: JsonObject) =>
      JSON.parse(JSON.stringify(value).replaceAll('secret', '***')) as JsonObject;
    const quiet = new LoopRun(workflow([structured('ask')]), {}, { redact });
    expect(settled(quiet, [{ outputs: { a: 'secret' } }]).state.outputs).toEqual({ a: '***' });
    const refusing = new LoopRun(workflow([structured('ask')]), {}, { redact });
    settled(refusing, [{ error: { code: 'c', message: 'secret' } }]);
    expect(refusing.state.error).toEqual({ code: 'c', message: '***' });
    const large = settled(new LoopRun(workflow([structured('ask')])), [
      { outputs: { a: 'x'.repeat(50_000) } },
    ]);
    expect(large.state.error).toMatchObject({ code: 'output_too_large' });
    const levels = JSON.parse(`{"a":${'['.repeat(9000)}${']'.repeat(9000)}}`) as JsonObject;
    const deep = settled(new LoopRun(workflow([structured('ask')])), [{ outputs: levels }]);
    expect(deep.state.error).toMatchObject({ code: 'envelope_invalid' });
  });

  it('has its time limit, and its time counts as active', () => {
    const limited = new LoopRun(workflow([structured('ask', { settings: { timeout: 500 } })]));
    expect(limited.advance().wakeAt).toEqual(new Date(501));
    expect(limited.advance(500).events).toEqual([]);
    expect(limited.advance(501).state.error).toMatchObject({ code: 'node_timeout' });
    const slow = new LoopRun(workflow([structured('ask')]), {}, { configurable: { runTimeoutMs: 1000 } });
    expect(slow.advance().wakeAt).toEqual(new Date(1001));
    slow.advance(1001);
    expect(slow.payloads('cap.breached')).toMatchObject([{ kind: 'run-duration' }]);
    expect(slow.state.ended).toBe('failed');
  });

  it('is cancelled with its run', () => {
    const run = new LoopRun(workflow([structured('ask')]));
    run.advance();
    run.cancel();
    const { effect } = run.advance();
    expect([effect, run.types.slice(-2)]).toEqual([undefined, ['node.cancelled ask', 'run.cancelled']]);
  });

  it('is asked for one after another, and before what has to be waited for', () => {
    const { nodes, edges } = modelLoop();
    const both = workflow([...nodes, structured('one'), structured('two')], edges);
    const run = decides(new LoopRun(both, { a: { looks: 3 } }), toWorkers('a'), done);
    const asked: string[] = [];
    run.answers.set('one', [{ outputs: {} }]).set('two', [{ outputs: {} }]);
    let { effect } = run.advance();
    for (let round = 0; round < 50 && effect; round += 1) {
      asked.push('nodeId' in effect ? `${effect.kind} ${effect.nodeId}` : effect.kind);
      effect = run.advanceWith(run.perform(effect)).effect;
    }
    expect(asked.slice(0, 5)).toEqual([
      'decide supervisor',
      'ask-model one',
      'ask-model two',
      'start-child dispatch',
      'await-child dispatch',
    ]);
    expect(run.status).toBe('completed');
  });
});

describe('what such a node is asked', () => {
  const SCHEMA = 'ai.structuredOutput';
  const PROMPT = 'ai.callPrompt';
  const strange = [{ role: 'x', content: 'y' }];

  it.each([
    ['no messages', 'messages', one(SCHEMA, { outputSchema })],
    ['messages that are none', 'messages', one(SCHEMA, { outputSchema }, { messages: fixed('x') })],
    ['an empty list', 'messages', one(SCHEMA, { outputSchema }, { messages: fixed([]) })],
    ['an unknown role', 'messages', one(SCHEMA, { outputSchema }, { messages: fixed(strange) })],
    ['no content', 'messages', one(PROMPT, {}, { messages: fixed([{ role: 'user' }]) })],
    ['neither a prompt nor messages', 'prompt', one(PROMPT, {})],
    ['a prompt that is none', 'prompt', one(PROMPT, {}, { prompt: fixed(7) })],
    ['a prompt without words', 'prompt', one(PROMPT, { prompt: 'Say it.' }, { prompt: fixed('') })],
    ['a schema that was never checked', 'config', one(SCHEMA, { messages })],
  ])('is nothing with %s', (_name, field, definition) => {
    const run = new LoopRun(definition);
    expect(run.settle().effect).toBeUndefined();
    expect(run.state.error).toMatchObject({ code: 'validation_error', details: { field } });
  });

  it('is nothing where an input cannot be evaluated', () => {
    const inputs = { prompt: { type: 'expression', expression: 'inputs.missing' } };
    const run = new LoopRun(one('ai.callPrompt', {}, inputs));
    run.settle();
    expect(run.state.error).toMatchObject({ code: 'expression_error' });
  });
});

describe('a definition with such a node', () => {
  const paths = (type: string, config: object) =>
    checkDefinition(workflow([node('a'), node('ask', type, { config })], [edge('a', 'ask')])).map(
      ({ path }) => path,
    );

  it('is executed, whatever else stands in its configuration', () => {
    const definition = workflow([
      structured('ask'),
      node('say', 'ai.callPrompt', { config: { expectsStreaming: true } }),
    ]);
    expect([checkDefinition(definition), offendingNode(definition)]).toEqual([[], undefined]);
  });

  it.each([
    ['ai.structuredOutput', {}, 'nodes.1.config.outputSchema'],
    ['ai.structuredOutput', { outputSchema: 'x' }, 'nodes.1.config.outputSchema'],
    ['ai.structuredOutput', { outputSchema: { type: 'strange' } }, 'nodes.1.config.outputSchema'],
    ['ai.structuredOutput', { outputSchema: { pattern: 'x'.repeat(20_000) } }, 'nodes.1.config'],
    ['ai.structuredOutput', { outputSchema, messages: [] }, 'nodes.1.config.messages'],
    ['ai.structuredOutput', { outputSchema, provider: 7 }, 'nodes.1.config.provider'],
    ['ai.callPrompt', { prompt: '' }, 'nodes.1.config.prompt'],
    ['ai.callPrompt', { messages: [{ role: 'user', content: 1 }] }, 'nodes.1.config.messages.0.content'],
  ])('of type %s and configuration %# is refused', (type, config, path) => {
    expect(paths(type, config)).toEqual([path]);
  });
});
