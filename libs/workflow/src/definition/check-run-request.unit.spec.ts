import type { JsonObject, WorkflowDefinition } from '@palimpsest/contracts';
import { node, workflow } from '../testing/definitions.js';
import { checkRunRequest } from './check-run-request.js';

const LIMITS = { maxNodeExecutions: 100, maxRunDurationMs: 60_000 };
type Variables = WorkflowDefinition['variables'];

function check(more: Partial<WorkflowDefinition>, inputs: JsonObject = {}, configurable: JsonObject = {}) {
  return checkRunRequest(workflow([node('a')], [], more), { inputs, configurable }, LIMITS);
}

const withField = (field: string) =>
  expect.objectContaining({ code: 'validation_error', details: expect.objectContaining({ field }) }) as Error;

describe('inputs', () => {
  const variables: Variables = [
    { name: 'nonce', type: 'string', required: true },
    { name: 'delayMs', type: 'number', required: true, defaultValue: 1000 },
    { name: 'list', type: 'array' },
    { name: 'map', type: 'object', defaultValue: {} },
    { name: 'flag', type: 'boolean' },
  ];

  it('leave to defaults only what they do not hold', () => {
    expect(check({ variables }, { nonce: 'n' }).defaults).toEqual({ delayMs: 1000, map: {} });
    expect(check({ variables }, { nonce: 'n', delayMs: 0, map: { a: 1 } }).defaults).toEqual({});
  });

  it('may hold what no variable names', () => {
    expect(check({ variables }, { nonce: 'n', more: [1] }).defaults).toEqual({ delayMs: 1000, map: {} });
  });

  it('must hold what is required and has no default', () => {
    expect(() => check({ variables })).toThrow(withField('inputs.nonce'));
    const named = [{ name: 'toString', type: 'string', required: true } as const];
    expect(() => check({ variables: named })).toThrow(withField('inputs.toString'));
  });

  it.each([
    ['nonce', 1],
    ['nonce', null],
    ['delayMs', '5'],
    ['delayMs', null],
    ['list', {}],
    ['map', []],
    ['map', null],
    ['flag', 'true'],
  ])('of another type are refused: %s as %j', (name, value) => {
    expect(() => check({ variables }, { nonce: 'n', [name]: value })).toThrow(withField(`inputs.${name}`));
  });

  it('of the right types are taken', () => {
    const inputs = { nonce: '', delayMs: 1.5, list: [], map: {}, flag: false };
    expect(check({ variables }, inputs).defaults).toEqual({});
  });
});

describe('bounds', () => {
  it.each([
    ['the host', {}, {}, LIMITS],
    [
      'the request',
      {},
      { recursionLimit: 3, runTimeoutMs: 1000 },
      { maxNodeExecutions: 3, maxRunDurationMs: 1000 },
    ],
    ['the host before a larger request', {}, { recursionLimit: 101, runTimeoutMs: 60_001 }, LIMITS],
    ['the workflow', { timeout: 5000 }, {}, { ...LIMITS, maxRunDurationMs: 5000 }],
    [
      'the request below the workflow',
      { timeout: 5000 },
      { runTimeoutMs: 4999 },
      { ...LIMITS, maxRunDurationMs: 4999 },
    ],
    [
      'the workflow below the request',
      { timeout: 5000 },
      { runTimeoutMs: 5001 },
      { ...LIMITS, maxRunDurationMs: 5000 },
    ],
    ['a workflow without one', { timeout: 0 }, {}, LIMITS],
  ])('come from %s', (_, settings, configurable, bounds) => {
    expect(check({ settings }, {}, configurable).bounds).toEqual(bounds);
  });

  it.each([
    [{}, {}, 50],
    [{ maxLoopIterations: 70 }, {}, 70],
    [{ maxLoopIterations: 7 }, { maxLoopIterations: 3 }, 3],
    [{ maxLoopIterations: 7 }, { maxLoopIterations: 8 }, 7],
  ])('of turns are what the host gives, %j, or less: %j', (host, configurable, most) => {
    const loop = workflow([node('supervisor', 'orchestrator.supervisor')]);
    const { bounds } = checkRunRequest(loop, { inputs: {}, configurable }, { ...LIMITS, ...host });
    expect(bounds.maxLoopIterations).toBe(most);
  });
});

describe('configurable', () => {
  it.each([
    ['recursionLimit', 0],
    ['recursionLimit', 1.5],
    ['recursionLimit', '3'],
    ['recursionLimit', null],
    ['runTimeoutMs', 0],
    ['maxLoopIterations', -1],
    ['maxTokens', 0],
    ['temperature', 2.1],
    ['temperature', -0.1],
    ['escalationThreshold', 1.1],
    ['model', 7],
    ['model', ''],
  ])('refuses %s as %j', (key, value) => {
    expect(() => check({}, {}, { [key]: value })).toThrow(withField(`configurable.${key}`));
  });

  it('takes reserved keys at the ends of their ranges, and unknown ones', () => {
    const configurable = {
      recursionLimit: 1,
      runTimeoutMs: 1,
      maxLoopIterations: 1,
      maxTokens: 1,
      temperature: 2,
      escalationThreshold: 0,
      model: 'm',
      unknown: { any: [1] },
    };
    expect(check({}, {}, configurable).bounds).toEqual({ maxNodeExecutions: 1, maxRunDurationMs: 1 });
  });

  const configurableSchema = {
    type: 'object',
    properties: {
      recursionLimit: { type: 'integer', minimum: 1 },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['tags'],
    additionalProperties: false,
  };

  it.each([
    [{}, 'configurable.tags'],
    [{ tags: 'x' }, 'configurable.tags'],
    [{ tags: ['x', 1] }, 'configurable.tags.1'],
    [{ tags: [], other: 1 }, 'configurable.other'],
  ])("refuses %j by the workflow's schema", (configurable, field) => {
    expect(() => check({ configurableSchema }, {}, configurable)).toThrow(withField(field));
  });

  it("takes what fits the workflow's schema", () => {
    const configurable = { recursionLimit: 2, tags: ['a'] };
    expect(check({ configurableSchema }, {}, configurable).bounds.maxNodeExecutions).toBe(2);
  });

  it('matches patterns of a schema in linear time', () => {
    const hostile = { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } };
    const configurable = { s: `${'a'.repeat(5000)}!` };
    expect(() => check({ configurableSchema: hostile }, {}, configurable)).toThrow(
      withField('configurable.s'),
    );
  });
});
