import type { WorkflowDefinition } from '@palimpsest/contracts';
import { chain, edge, node, workflow } from '../testing/definitions.js';
import { checkDefinition } from './check-definition.js';
import { offendingNode } from './offending-node.js';

const paths = (definition: WorkflowDefinition) => checkDefinition(definition).map(({ path }) => path);
const one = (type: string, config: object) => workflow([node('a', type, { config: config })]);

describe('a definition', () => {
  it('that is sound has no problems', () => {
    expect(checkDefinition(chain(1000))).toEqual([]);
  });

  it.each([
    ['two nodes of one id', workflow([node('a'), node('a')]), 'nodes.1.id'],
    ['two edges of one id', workflow([node('a'), node('b')], [edge('a', 'b'), edge('a', 'b')]), 'edges.1.id'],
    [
      'two variables of one name',
      workflow([node('a')], [], {
        variables: [
          { name: 'x', type: 'string' },
          { name: 'x', type: 'number' },
        ],
      }),
      'variables.1.name',
    ],
    ['an edge from nowhere', workflow([node('a')], [edge('x', 'a')]), 'edges.0.sourceNodeId'],
    ['an edge to nowhere', workflow([node('a')], [edge('a', 'x')]), 'edges.0.targetNodeId'],
    ['an edge to its own node', workflow([node('a')], [edge('a', 'a')]), 'edges.0'],
    [
      'a cycle',
      workflow(
        ['in', 'a', 'b', 'c', 'out'].map((id) => node(id)),
        [edge('c', 'out'), edge('in', 'a'), edge('a', 'b'), edge('b', 'c'), edge('c', 'a')],
      ),
      'edges.2',
    ],
    [
      'rules that differ',
      workflow(
        [node('a'), node('b'), node('c')],
        [edge('a', 'c'), edge('b', 'c', { triggerRule: 'any_failed' })],
      ),
      'edges.1.triggerRule',
    ],
    [
      'a default of another type',
      workflow([node('a')], [], { variables: [{ name: 'x', type: 'array', defaultValue: {} }] }),
      'variables.0.defaultValue',
    ],
    [
      'a schema that is none',
      workflow([node('a')], [], { configurableSchema: { type: 'strange' } }),
      'configurableSchema',
    ],
    [
      'a schema that lies elsewhere',
      workflow([node('a')], [], { configurableSchema: { $ref: 'http://127.0.0.1/schema' } }),
      'configurableSchema',
    ],
    [
      'an input from a node that is not upstream',
      workflow([
        node('a', 'noop', { inputs: { x: { type: 'connection', nodeId: 'b', outputKey: 'y' } } }),
        node('b'),
      ]),
      'nodes.0.inputs.x.nodeId',
    ],
    [
      'an input that does not compile',
      workflow([node('a', 'noop', { inputs: { x: { type: 'expression', expression: '(' } } })]),
      'nodes.0.inputs.x.expression',
    ],
  ])('with %s is refused', (_, definition, path) => {
    expect(paths(definition)).toEqual([path]);
  });

  it('may loop through a dispatch, back to its supervisor', () => {
    const definition = workflow(
      [node('supervisor', 'orchestrator.supervisor'), node('dispatch', 'dispatch')],
      [edge('supervisor', 'dispatch'), edge('dispatch', 'supervisor')],
    );
    expect(checkDefinition(definition)).toEqual([]);
    expect(offendingNode(definition)).toBeUndefined();
    expect(offendingNode(workflow([node('a', 'unknown')]))?.id).toBe('a');
  });

  it.each([
    ['leads out of its loop and back', [edge('s', 'x'), edge('x', 'd')]],
    ['leads from its dispatch around to its supervisor', [edge('d', 'x'), edge('x', 's')]],
  ])('has a cycle where a way %s', (_how, more) => {
    const nodes = [node('s', 'orchestrator.supervisor'), node('d', 'dispatch'), node('x')];
    expect(paths(workflow(nodes, [edge('s', 'd'), edge('d', 's'), ...more]))).toEqual(['edges.2']);
    expect(
      paths(workflow(nodes, [edge('s', 'd'), edge('d', 's'), edge('x', 's'), edge('d', 'x')])),
    ).not.toEqual([]);
  });

  it.each(['orchestrator.supervisor', 'dispatch'])('has one %s at most', (type) => {
    expect(paths(workflow([node('a', type), node('b'), node('c', type)]))).toEqual(['nodes.2.typeId']);
  });

  it('may name its nodes and variables as it likes', () => {
    const definition = workflow(
      [node('constructor'), node('hasOwnProperty')],
      [edge('constructor', 'hasOwnProperty')],
      {
        variables: [{ name: '__proto__', type: 'string', defaultValue: 'x' }],
      },
    );
    expect(checkDefinition(definition)).toEqual([]);
  });

  it('has fifty problems at most', () => {
    expect(checkDefinition(workflow(Array.from({ length: 100 }, () => node('a'))))).toHaveLength(50);
  });
});

describe('a condition', () => {
  const conditions = (condition: object) =>
    paths(workflow([node('a'), node('b')], [edge('a', 'b', { condition: condition })]));

  it.each([
    [{ type: 'expression' }, 'expression'],
    [{ type: 'expression', expression: 'x' }, 'expression'],
    [{ type: 'expression', expression: '1 + 1' }, 'expression'],
    [{ type: 'equals', left: 1 }, 'right'],
    [{ type: 'equals', left: { type: 'connection', nodeId: 'b', outputKey: 'x' }, right: 1 }, 'left.nodeId'],
    [{ type: 'equals', right: { type: 'expression', expression: ')' } }, 'right.expression'],
    [{ type: 'regex', right: '(' }, 'right'],
    [{ type: 'regex', right: '(?=a)' }, 'right'],
    [{ type: 'regex', right: 1 }, 'right'],
    [{ type: 'regex', right: { type: 'static', value: '[' } }, 'right'],
  ])('%j is refused', (condition, at) => {
    expect(conditions(condition)).toEqual([`edges.0.condition.${at}`]);
  });

  it.each([
    { type: 'expression', expression: 'nodes.a.x == 1' },
    { type: 'equals', left: { type: 'connection', nodeId: 'a', outputKey: 'x' }, right: null },
    { type: 'regex', right: '^a+$' },
    { type: 'regex', right: { type: 'variable', variableName: 'pattern' } },
  ])('%j is allowed', (condition) => {
    expect(conditions(condition)).toEqual([]);
  });
});

describe('a configuration', () => {
  it.each([
    ['dispatch', { inputMapping: { a: 1 } }, 'inputMapping.a'],
    ['dispatch', { fanOutPolicy: 'parallel' }, 'fanOutPolicy'],
    ['dispatch', { iterationCap: 0 }, 'iterationCap'],
    ['orchestrator.supervisor', { mockConfidence: 2 }, 'mockConfidence'],
    ['orchestrator.supervisor', { mockDecisions: {} }, 'mockDecisions'],
    ['orchestrator.supervisor', { workers: 'read-logs' }, 'workers'],
    ['orchestrator.supervisor', { prompt: 'p', workers: ['a', ''] }, 'workers.1'],
    ['orchestrator.supervisor', { prompt: { text: 'p' } }, 'prompt'],
    ['orchestrator.supervisor', { prompt: 'p', maxOutputTokens: '2000' }, 'maxOutputTokens'],
    ['orchestrator.supervisor', { prompt: 'p', temperature: 3 }, 'temperature'],
    ['orchestrator.supervisor', { prompt: 'p', timeoutMs: 0 }, 'timeoutMs'],
    ['delay', { delayMs: -1 }, 'delayMs'],
    ['delay', { maxDelayMs: 'x' }, 'maxDelayMs'],
    ['fail', { message: '' }, 'message'],
    ['approvalGate', { actions: ['accept', 'accept'] }, 'actions'],
    ['approvalGate', { actions: ['ask'] }, 'actions'],
    ['approvalGate', { actions: ['maybe'] }, 'actions.0'],
    ['approvalGate', { requiredApprovals: 2 }, 'requiredApprovals'],
    ['approvalGate', { timeoutMs: -1 }, 'timeoutMs'],
    ['clarificationGate', {}, 'questions'],
    ['clarificationGate', { questions: [] }, 'questions'],
    [
      'clarificationGate',
      { questions: [{ id: 'q', question: '?', schema: { type: 1 } }] },
      'questions.0.schema',
    ],
    ['interrupt', {}, 'kind'],
    ['interrupt', { kind: 'toString' }, 'kind'],
    ['interrupt', { kind: 'external-event', correlation: {} }, 'eventType'],
    ['interrupt', { kind: 'external-event', eventType: 'e' }, 'correlation'],
    ['interrupt', { kind: 'custom', resumeSchema: { type: 1 } }, 'resumeSchema'],
    ['interrupt', { kind: 'approval', requiredApprovals: 2 }, 'requiredApprovals'],
  ])('of %s as %j is refused', (type, config, at) => {
    expect(paths(one(type, config))).toEqual([`nodes.0.config.${at}`]);
  });

  it('of a dispatch is closed', () => {
    expect(paths(one('dispatch', { anything: 1 }))).toEqual(['nodes.0.config']);
  });

  it('that is large is refused', () => {
    expect(paths(one('noop', { text: 'x'.repeat(16 * 1024) }))).toEqual(['nodes.0.config']);
  });

  it.each([
    ['noop', { nondeterministic: true }],
    ['delay', { durationMs: 30_000 }],
    ['fail', { code: 'mine', message: 'as asked', retryable: true }],
    ['approvalGate', { title: 'T', description: 'D', actions: ['accept', 'reject'], requiredApprovals: 1 }],
    ['clarificationGate', { questions: [{ id: 'q1', question: 'Which?' }] }],
    ['interrupt', { kind: 'external-event', eventType: 'e', correlation: { a: 1 }, timeoutMs: 60_000 }],
    ['interrupt', { kind: 'custom' }],
    ['dispatch', { askUserRouting: 'auto', workerDispatchModel: 'child-run', fanOutPolicy: 'reject' }],
    ['dispatch', { inputMapping: { a: 'b' }, perWorkerOutputMappings: { w: { a: 'b' } }, iterationCap: 1 }],
    ['orchestrator.supervisor', { mockDecisions: [{ kind: 'unknown' }], anything: 1 }],
    ['orchestrator.supervisor', { mockDecisions: [], prompt: 1, workers: 'none' }],
    ['orchestrator.supervisor', { mockPendingDecision: {}, maxOutputTokens: 'x' }],
    ['orchestrator.supervisor', {}],
    ['orchestrator.supervisor', { prompt: 'p', workers: ['a'], maxOutputTokens: 500, anything: 1 }],
    ['orchestrator.supervisor', { agentId: 'mine' }],
  ])('of %s as %j is allowed', (type, config) => {
    expect(paths(one(type, config))).toEqual([]);
  });
});
