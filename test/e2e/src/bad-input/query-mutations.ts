import { accepts, type JsonSchema } from './json-schema.js';

export type QueryParameter = { readonly name: string; readonly schema: JsonSchema };

export type QueryCase = {
  readonly label: string;
  /** Percent-encoded, without the question mark. */
  readonly query: string;
  readonly refused: boolean;
};

const TEXTS: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['a space', ' '],
  ['a word', 'of-no-list'],
  ['a negative number', '-1'],
  ['a fraction', '1.5'],
  ['1e400', '1e400'],
  ['more digits than a number holds', '9'.repeat(40)],
  ['a hexadecimal number', '0x10'],
  ['NaN', 'NaN'],
  ['a number after a space', ' 1'],
  ['a list', '[1]'],
  ['an object', '{}'],
  ['NUL', 'a\u0000'],
  ['a long text', 'x'.repeat(5000)],
  ['letters beyond ASCII', '\u{1F4A5}é'],
];

/** Each value that a parameter may not have, the others as they are. */
export function badQueries(
  parameters: readonly QueryParameter[],
  query: Readonly<Record<string, string>> = {},
): readonly QueryCase[] {
  return [...parameters.flatMap((parameter) => badValues(parameter, query)), ...unknownNames(query)];
}

function badValues(
  { name, schema }: QueryParameter,
  query: Readonly<Record<string, string>>,
): readonly QueryCase[] {
  const { [name]: own = '1', ...others } = query;
  const rest = Object.entries(others).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  const given = (label: string, texts: readonly string[], refused: boolean): QueryCase => ({
    label: `query.${name}: ${label}`,
    query: [...rest, ...texts.map((text) => `${name}=${text}`)].join('&'),
    refused,
  });
  const isText = schema.type === 'string';
  return [
    ...TEXTS.map(([label, text]) =>
      given(label, [encodeURIComponent(text)], text.includes('\u0000') || !accepts(schema, text)),
    ),
    given('given twice', [own, own].map(encodeURIComponent), isText),
    given('a broken escape', ['%zz'], true),
    given('a surrogate', ['%ED%A0%80'], true),
  ];
}

function unknownNames(query: Readonly<Record<string, string>>): readonly QueryCase[] {
  const known = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return [
    ...['surprise=1', '__proto__=1', 'constructor=1', 'a[b]=1', '=', '&&', '%00=1'].map((extra) => ({
      label: `query: ${extra}`,
      query: [...known, extra].join('&'),
      refused: false,
    })),
    { label: 'query: a broken escape', query: [...known, '%'].join('&'), refused: true },
  ];
}
