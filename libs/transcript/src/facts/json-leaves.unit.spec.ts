import { opensJson, scanJson, type JsonLeaf } from './json-leaves.js';

function scan(text: string): { leaves: string[]; end: number } {
  const leaves: string[] = [];
  const leaf = ({ path, start, end, form }: JsonLeaf): void => {
    leaves.push(`${path.join('.')}=${text.slice(start, end)}${form === 'bare' ? '' : `(${form})`}`);
  };
  return { end: scanJson(text, 0, { leaf, names: (value) => /\d\d/.test(value) }), leaves };
}

describe('scanJson', () => {
  it('gives every leaf with its path and stops behind the value', () => {
    const text = '{"a": {"b": [1, "x"], "c": null}, "d": "y"} rest';
    expect(scan(text)).toEqual({
      leaves: ['a.b=1', 'a.b=x(string)', 'a.c=null', 'd=y(string)'],
      end: text.indexOf(' rest'),
    });
  });

  it('keeps escapes as they stand', () => {
    expect(scan('{"a": "x\\"y\\u00e9"}').leaves).toEqual(['a=x\\"y\\u00e9(string)']);
  });

  it('stops where the text is no data, and has kept what came before', () => {
    expect(scan('{"a": 1, "b" 2}')).toEqual({ leaves: ['a=1'], end: 9 });
    expect(scan('{"a": [true, foo()]}').leaves).toEqual(['a=true']);
    expect(scan('{"a": "never ends').leaves).toEqual([]);
  });

  it('does not follow nesting for ever', () => {
    expect(scan('['.repeat(1000)).end).toBe(64);
  });

  it.each([
    ['{"a"', true],
    ['[ {', true],
    ['["x"', true],
    ['[1', true],
    ['{ foo', false],
    ['[File: x', false],
    ['text', false],
  ])('decides by the first characters whether data begins: %j', (text, expected) => {
    expect(opensJson(text, 0)).toBe(expected);
  });

  it('takes an index for no list', () => {
    expect(opensJson('rows[0]', 4)).toBe(false);
  });
});
