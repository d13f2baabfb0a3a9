import type { JsonObject } from '@palimpsest/contracts';
import fc from 'fast-check';
import { evaluateExpression, problemOfExpression } from './expression.js';
import type { Scope } from './scope.js';

function scope(values: JsonObject = {}, nodes: JsonObject = {}): Scope {
  return { inputs: values, variables: values, outputsOf: () => undefined, nodes: () => nodes };
}

const VALUES = { count: 5, half: 2.5, name: 'x', list: [1, 2, 3], flag: true, nothing: null };

describe('an expression', () => {
  it.each([
    ['1 + 2', 3],
    ['inputs.count + 1', 6],
    ['1 + variables.count', 6],
    ['inputs.count / 2', 2.5],
    ['7 / 2', 3],
    ['inputs.count % 2', 1],
    ['inputs.count - 1 == 4', true],
    ['2 * inputs.half', 5],
    ['inputs.count > 3 && inputs.flag', true],
    ['inputs.list.map(n, n * 2)', [2, 4, 6]],
    ['inputs.list.filter(n, n > 1).map(n, n + 1)', [3, 4]],
    ['inputs.list.exists(n, n == 3)', true],
    ['size(inputs.list)', 3],
    ['{"a": [1, "b", null], "c": inputs.half}', { a: [1, 'b', null], c: 2.5 }],
    ['has(inputs.gone) ? inputs.gone : "default"', 'default'],
    ['nodes.first.value', 'given'],
    ['"first" in nodes', true],
    ['2u', 2],
    ['{1: 2}', { 1: 2 }],
    ['inputs', VALUES],
  ])('%s is %j', (expression, value) => {
    expect(problemOfExpression(expression)).toBeUndefined();
    const result = evaluateExpression(expression, scope(VALUES, { first: { value: 'given' } }));
    expect(result).toEqual({ ok: true, value });
  });

  it.each([
    'inputs.gone',
    'inputs.constructor',
    'inputs.__proto__',
    'inputs.name + 1',
    '1 / 0',
    '9007199254740993',
    '1.0 / 0.0',
    'b"bytes"',
    'timestamp("2024-01-01T00:00:00Z")',
    'duration("1s")',
    'type(1)',
    'inputs.list[7]',
    'dyn("\\u0000")',
  ])('%s has no value', (expression) => {
    expect(evaluateExpression(expression, scope(VALUES))).toEqual({ ok: false });
  });

  it.each([
    ['(', 'does not compile'],
    ['unknown == 1', 'does not compile'],
    ['now()', 'does not compile'],
    ['1 + "a"', 'does not compile'],
    [Array.from({ length: 300 }, () => '1').join('+'), 'does not compile'],
    ['inputs.name.matches("(a+)+$")', 'regular expression'],
    ['cel.bind(a, inputs.list + inputs.list, a + a)', 'cel.bind'],
    ['inputs.list.all(a, inputs.list.exists(b, b == a))', 'loop within a loop'],
    ['inputs.list.map(a, [a].map(b, b))', 'loop within a loop'],
    ['inputs.list.map(a, {"k": size([a].filter(b, true))})', 'loop within a loop'],
  ])('%s is refused', (expression, problem) => {
    expect(problemOfExpression(expression)).toContain(problem);
    expect(evaluateExpression(expression, scope(VALUES))).toEqual({ ok: false });
  });

  it('of a condition must be able to give true or false', () => {
    expect(problemOfExpression('inputs.flag', 'bool')).toBeUndefined();
    expect(problemOfExpression('1 == 1', 'bool')).toBeUndefined();
    expect(problemOfExpression('1 + 1', 'bool')).toContain('true or false');
  });

  it('whose value would be large has none', () => {
    const values = { list: Array.from({ length: 2000 }, (_, place) => place) };
    const result = evaluateExpression('inputs.list.map(n, inputs.list)', scope(values));
    expect(result).toEqual({ ok: false });
    const text = { text: 'x'.repeat(40_000) };
    expect(evaluateExpression('inputs.text + inputs.text', scope(text))).toEqual({ ok: false });
  });

  it('gives JSON as it was, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3, noUnicodeString: true }), fc.string(), (value, text) => {
        const given = JSON.parse(JSON.stringify({ value })) as JsonObject;
        const result = evaluateExpression('inputs.value', scope(given));
        if (result.ok) expect(result.value).toEqual(given['value']);
        evaluateExpression(text, scope(given));
        problemOfExpression(text);
      }),
    );
  });
});
