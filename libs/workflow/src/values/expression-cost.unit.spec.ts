import type { JsonObject } from '@palimpsest/contracts';
import { evaluateExpression, problemOfExpression } from './expression.js';
import type { Scope } from './scope.js';

function scope(values: JsonObject): Scope {
  return { inputs: values, variables: {}, outputsOf: () => undefined, nodes: () => ({}) };
}

const numbers = (length: number): number[] => Array.from({ length }, (_, place) => place);
const LONG = { list: numbers(8000), other: numbers(8000), text: 'x'.repeat(20_000), limit: 8000 };
const SHORT = { list: [1, 2], other: [2, 3], text: 'ab', limit: 8000 };

describe('what an expression costs', () => {
  it.each([
    `[inputs.list]${'.map(a, a + a)'.repeat(24)}.size() > 0`,
    `[inputs.text]${'.map(a, a + a)'.repeat(14)}.map(a, a.size()).size() > 0`,
    `[[1]]${'.map(a, [a, a])'.repeat(24)}.size() > 0`,
  ])('that doubles its values again and again: never evaluated: %.40s', (expression) => {
    expect(problemOfExpression(expression)).toBeUndefined();
    expect(evaluateExpression(expression, scope(LONG))).toEqual({ ok: false });
  });

  it.each([
    'inputs.list.exists(x, x in inputs.other)',
    'inputs.list.all(x, inputs.list == inputs.other || true)',
    'inputs.list.map(x, inputs.text + inputs.text).size() > 0',
    'inputs.list.all(x, size(inputs.text) > 0)',
    'inputs["list"].filter(x, inputs.text.contains(string(x))).size() >= 0',
    'inputs.list.map(x, string(x)).join(inputs.text).size() > 0',
    'inputs.list.map(x, inputs.list).filter(y, y == inputs.other).size() == 0',
  ])('that grows with the square of its values: evaluated where they are small: %s', (expression) => {
    expect(problemOfExpression(expression)).toBeUndefined();
    expect(evaluateExpression(expression, scope(LONG))).toEqual({ ok: false });
    expect(evaluateExpression(expression, scope(SHORT)).ok).toBe(true);
  });

  it.each([
    'inputs.list.filter(x, x > 1.0).map(x, x + 1.0).size() > 0',
    'inputs.list.all(x, x < inputs.limit)',
    'inputs.list.map(inputs, inputs + 1).size() > 0',
    'inputs.list.map(x, {"n": [x, x, x]}).filter(y, y.n[0] == 3.0).size() == 1',
    'inputs.list == inputs.list && inputs.text.size() == 20000',
    'inputs.text.split("").map(c, c + "-").join("").size() == 40000',
  ])('that grows with its values: evaluated where they are long: %s', (expression) => {
    expect(evaluateExpression(expression, scope(LONG))).toEqual({ ok: true, value: true });
  });
});
