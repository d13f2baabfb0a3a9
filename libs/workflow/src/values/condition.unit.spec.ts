import type { EdgeCondition, JsonObject, JsonValue } from '@palimpsest/contracts';
import { edge } from '../testing/definitions.js';
import { conditionHolds } from './condition.js';
import type { Scope } from './scope.js';

const OUTPUTS: JsonObject = {
  text: 'order-17',
  list: [1, { a: 1, b: 2 }],
  map: { key: 1 },
  number: 2,
  none: null,
};
const scope: Scope = {
  inputs: {},
  variables: { wanted: 'order-17' },
  outputsOf: (nodeId) => (nodeId === 'a' ? OUTPUTS : undefined),
  nodes: () => ({ a: OUTPUTS }),
};

function holds(condition: EdgeCondition, sourceOutput?: string) {
  const named = sourceOutput === undefined ? {} : { sourceOutput };
  const result = conditionHolds(edge('a', 'b', { condition, ...named }), scope);
  return result.ok ? result.value : 'not evaluated';
}

describe('a condition', () => {
  it('that is not there holds', () => {
    expect(conditionHolds(edge('a', 'b'), scope)).toEqual({ ok: true, value: true });
  });

  it.each<[EdgeCondition['type'], string | undefined, JsonValue, unknown]>([
    ['equals', 'number', 2, true],
    ['equals', 'number', '2', false],
    ['equals', 'map', { key: 1 }, true],
    ['equals', 'none', null, true],
    ['equals', 'gone', null, true],
    ['equals', undefined, OUTPUTS, true],
    ['notEquals', 'number', 2, false],
    ['notEquals', 'number', 3, true],
    ['contains', 'text', 'er-1', true],
    ['contains', 'text', 1, false],
    ['contains', 'list', { b: 2, a: 1 }, true],
    ['contains', 'list', 2, false],
    ['contains', 'map', 'key', true],
    ['contains', 'map', 'toString', false],
    ['contains', 'number', 2, false],
    ['contains', 'none', 'x', false],
    ['regex', 'text', '^order-[0-9]+$', true],
    ['regex', 'text', 'ORDER', false],
    ['regex', 'number', '2', false],
    ['regex', 'text', '(', 'not evaluated'],
    ['regex', 'text', 7, 'not evaluated'],
  ])('%s of %s and %j: %s', (type, sourceOutput, right, expected) => {
    expect(holds({ type, right } as EdgeCondition, sourceOutput)).toBe(expected);
  });

  it('takes port values on both sides', () => {
    const left = { type: 'connection', nodeId: 'a', outputKey: 'text' };
    expect(holds({ type: 'equals', left, right: { type: 'variable', variableName: 'wanted' } })).toBe(true);
    expect(holds({ type: 'equals', left: { type: 'static', value: 1 }, right: 1 })).toBe(true);
    expect(
      holds({ type: 'equals', left: { type: 'expression', expression: 'nodes.a.gone' }, right: 1 }),
    ).toBe('not evaluated');
    expect(holds({ type: 'equals', left: { type: 'variable', variableName: 'toString' }, right: null })).toBe(
      true,
    );
  });

  it('takes an object that is no port value for itself', () => {
    expect(holds({ type: 'equals', left: { type: 'other' }, right: { type: 'other' } })).toBe(true);
  });

  it.each([
    ['nodes.a.number == 2', true],
    ['nodes.a.number == 3', false],
    ['nodes.a.number', 'not evaluated'],
    ['nodes.a.gone == 1', 'not evaluated'],
  ])('expression %s: %s', (expression, expected) => {
    expect(holds({ type: 'expression', expression })).toBe(expected);
  });

  it('without an expression cannot be evaluated', () => {
    expect(holds({ type: 'expression' })).toBe('not evaluated');
  });

  it('matches in linear time what others take for ever for', () => {
    const hostile = { type: 'static', value: `${'a'.repeat(20_000)}!` };
    expect(holds({ type: 'regex', left: hostile, right: '^(a+)+$' })).toBe(false);
  });

  it('takes no pattern and no text that is very long', () => {
    expect(holds({ type: 'regex', right: 'a'.repeat(1001) }, 'text')).toBe('not evaluated');
    const long = { type: 'static', value: 'a'.repeat(64 * 1024 + 1) };
    expect(holds({ type: 'regex', left: long, right: 'a' })).toBe('not evaluated');
  });
});
