import { accepts, type JsonSchema } from './json-schema.js';
import { jsonText } from './json-text.js';

export type WholeBody = {
  readonly label: string;
  readonly bytes: string | Buffer;
  /** False: readers may differ, and it may be taken. */
  readonly refused: boolean;
};

const NOT_JSON: readonly (readonly [string, string])[] = [
  ['an open brace', '{'],
  ['a word', 'nonsense'],
  ['a member without a value', '{"a":}'],
  ['a comma too many', '{"a":1,}'],
  ['single quotes', "{'a':1}"],
  ['a comment', '{} // nothing'],
  ['two values', '{}{}'],
  ['NaN', '{"a":NaN}'],
  ['undefined', 'undefined'],
  ['a control character in a text', '{"a":"\u0001"}'],
  ['an unknown escape', '{"a":"\\x41"}'],
  ['a number with a leading zero', '{"a":01}'],
  ['spaces only', '   '],
  ['a mark of byte order twice', '\uFEFF\uFEFF{}'],
  ['NUL after the end', '{}\u0000'],
  ['an endless list', '['.repeat(100_000)],
  ['form fields', 'a=1&b=2'],
  ['XML', '<?xml version="1.0"?><a/>'],
];

const NOT_UTF8: readonly (readonly [string, Buffer])[] = [
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['Latin-1', Buffer.from('{"a":"\xed"}', 'latin1')],
  ['UTF-16', Buffer.from('\uFEFF{}', 'utf16le')],
  ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['an overlong NUL', Buffer.from([0x22, 0xc0, 0x80, 0x22])],
];

const OTHER_SHAPES: readonly unknown[] = [[], [{}], null, true, 0, 'text', {}];

/** What is sent in a body's place, or around it. `largest`: bytes that the host takes at most. */
export function wholeBodies(
  schema: JsonSchema,
  body: unknown,
  options: { readonly required: boolean; readonly largest: number },
): readonly WholeBody[] {
  const taken = jsonText(body);
  const [first] = Object.entries(body ?? {});
  const twice = first && `{${jsonText(first[0])}:${jsonText(first[1])},${taken.slice(1)}`;
  return [
    ...NOT_JSON.map(([label, bytes]) => ({ label, bytes, refused: true })),
    ...NOT_UTF8.map(([label, bytes]) => ({ label, bytes, refused: true })),
    ...OTHER_SHAPES.map((shape) => ({
      label: `the body ${JSON.stringify(shape)}`,
      bytes: jsonText(shape),
      refused: !accepts(schema, shape),
    })),
    { label: 'no body', bytes: '', refused: options.required },
    { label: 'a body above the limit', bytes: padded(taken, options.largest + 1), refused: true },
    {
      label: 'a body of 1 MiB',
      bytes: padded(taken, Math.max(options.largest + 1, 1024 ** 2)),
      refused: true,
    },
    { label: 'a mark of byte order', bytes: `\uFEFF${taken}`, refused: false },
    ...(twice ? [{ label: 'a key twice', bytes: twice, refused: false }] : []),
  ];
}

/** Spaces are JSON, too: nothing but the size is wrong. */
function padded(text: string, bytes: number): string {
  return text + ' '.repeat(Math.max(0, bytes - Buffer.byteLength(text)));
}
