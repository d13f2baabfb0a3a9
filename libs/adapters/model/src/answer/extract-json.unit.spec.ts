import { extractJson } from './extract-json.js';

describe('JSON in text', () => {
  it.each([
    ['null', null],
    [' 7 ', 7],
    ['{"a":"}"} {"b":1}', { a: '}' }],
    ['It is {"a":"\\"}"}, I think.', { a: '"}' }],
    ['```\n[1]\n```', [1]],
    ['```json\r\n{"a":{}}\r\n```', { a: {} }],
    ['```js\nno\n``` then ```json\n{"a":1}\n```', { a: 1 }],
    ['} ] {"a":1}', { a: 1 }],
    ['<thinking>[0]</thinking>{"a":1}', { a: 1 }],
  ])('is found in %j', (text, value) => expect(extractJson(text)).toEqual({ value }));

  it.each([
    '',
    'nothing',
    '{"a":1',
    '{"a":1]',
    '{a:1}',
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    '{"a":-1e999}',
  ])('is not found in %j', (text) => expect(extractJson(text)).toBeUndefined());

  it('is the whole of a text that was cut off, or nothing', () => {
    expect(extractJson('{"a":1}\n', { wholeOnly: true })).toEqual({ value: { a: 1 } });
    expect(extractJson('{"a":1} {"b":', { wholeOnly: true })).toBeUndefined();
  });

  it.each([
    '{'.repeat(300_000),
    '['.repeat(300_000) + ']'.repeat(300_000),
    '{"'.repeat(200_000),
    '{}'.repeat(9),
  ])('is looked for in one pass, and without end of the stack', (text) => void extractJson(text));
});
