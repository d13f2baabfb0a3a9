import { parseJson } from './json-text.js';

const good = '{"role": "user", "content": "a \\u00e9 \\n b", "n": [-1.5e3, true, false, null, {}]}';

describe('parseJson', () => {
  it('parses', () => {
    expect(parseJson(good)).toEqual({ value: JSON.parse(good) as unknown });
  });

  it.each([
    ['a word', 'Hello\nthere', [1, 1]],
    ['a letter inside', '[1,\n 2, x]', [2, 5]],
    ['a missing comma', '{"a": 1\n"b": 2}', [2, 1]],
    ['a comma too many', '[1, 2, ]', [1, 8]],
    ['a single quote', "{'a': 1}", [1, 2]],
    ['a line feed in a string', '{"a": "b\nc"}', [1, 9]],
    ['more after the end', '{"a": 1} {"a": 2}', [1, 10]],
    ['an escape that is none', '["\\x"]', [1, 4]],
  ])('finds %s', (_, text, [line, column]) => {
    expect(parseJson(text)).toEqual({ place: { line, column } });
  });

  it('finds the end of every text that breaks off', () => {
    for (let length = 1; length < good.length; length += 1) {
      const text = good.slice(0, length);
      expect(parseJson(text)).toEqual({ place: { line: 1, column: text.trimEnd().length + 1 } });
    }
  });
});
