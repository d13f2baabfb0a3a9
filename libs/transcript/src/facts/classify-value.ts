import type { ValueKind } from './fact-kinds.js';

const LONGEST_VALUE = 120;
const LONGEST_URL = 300;

const URL_LIKE = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s]+$/i;
const EMAIL = /^[^\s@:/]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;
const DATE = /^(?:\d{4}-\d{1,2}(?:-\d{1,2})?|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{4}\/\d{1,2}\/\d{1,2})$/;
const TIME = /^(?:\d{4}-\d{1,2}-\d{1,2}[T_ ])?\d{1,2}:\d{2}(?::\d{2})?(?:[.,+-]\S*|z|[ap]m)?$/i;
const QUANTITY = /^[-+~≈±<>]?[$€£¥₹]?\d[\d.,'_]*(%|‰|[a-zA-Zµ°²³/]{1,5})?[$€£¥₹]?$/;
const ORDINAL = /^\d+(?:st|nd|rd|th)$/i;
const HEX_OR_UUID = /^(?:0x)?[0-9a-f]{6,128}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PATH =
  /^(?:[a-z]:\\|~?\/|\.{1,2}\/)[^\s:*?"<>|]+(?::\d+){0,2}$|^[\w.@+-]+(?:\/[\w.@+~-]+)+\/?(?::\d+){0,2}$/i;
const FILE_NAME = /^[\w-]+(?:\.[\w-]+)*\.[a-z][a-z0-9]{0,5}(?::\d+){0,2}$/i;
const FLAG_OPTION = /^--?[a-z][\w-]+(?:=\S+)?$/i;
const SYMBOL = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|->|#)[\p{L}_$][\p{L}\p{N}_$]*)*$/u;
const CODE = /^[A-Z][A-Z0-9&]{2,9}$/;

/** A long run of mixed letters and digits without structure: base64 and its like. Keys and hashes in hexadecimal are none. */
export function isNoise(token: string): boolean {
  if (token.length < 40 || HEX_OR_UUID.test(token)) return false;
  const head = token.slice(0, 400);
  if (!/^[A-Za-z0-9+/=_-]+$/.test(head)) return false;
  const separators = head.match(/[_/-]/g)?.length ?? 0;
  return /[a-z]/.test(head) && /[A-Z]/.test(head) && /\d/.test(head) && separators * 12 < head.length;
}

function isPath(token: string): boolean {
  if (!token.includes('/') && !token.includes('\\')) return false;
  // "and/or" is no path: a slash alone is not enough
  return PATH.test(token) && (/^[~./\\]|^[a-z]:\\/i.test(token) || /[._\d]|\/.*\//.test(token));
}

function isSymbol(token: string): boolean {
  if (token.length < 3 || !SYMBOL.test(token)) return FLAG_OPTION.test(token);
  return /\p{L}_+\p{L}|\p{Ll}\p{Lu}|[.#]|::|->/u.test(token) || token.startsWith('_');
}

/** A word and a digit (`address2`, `python3`) name a kind of thing, not one thing. */
const NUMBERED_WORD = /^[\p{Ll}_-]{2,}\d$/u;
const IDENTIFIER = /^(?=.*\p{N})(?=.*\p{L})[^()[\]{}=\\]+$/u;

type Test = readonly [ValueKind, (token: string) => boolean];

/** The first that holds decides. All are linear in the token, whose length is bounded. */
const TESTS: readonly Test[] = [
  ['email', (token) => token.includes('@') && EMAIL.test(token)],
  ['date', (token) => DATE.test(token)],
  ['time', (token) => TIME.test(token)],
  ['number', (token) => ORDINAL.test(token)],
  ['identifier', (token) => /^(?:0x[0-9a-f]{3,}|#?\d{6,}|#\d+)$/i.test(token)],
  [
    'amount',
    (token) => QUANTITY.exec(token)?.[1] !== undefined || /^[-+~≈±<>]?[$€£¥₹]\d|^\d.*[$€£¥₹]$/.test(token),
  ],
  ['number', (token) => QUANTITY.test(token)],
  ['path', isPath],
  ['path', (token) => /^\D.*\d/.test(token) && FILE_NAME.test(token)],
  ['symbol', (token) => NUMBERED_WORD.test(token)],
  ['identifier', (token) => IDENTIFIER.test(token)],
  ['code', (token) => CODE.test(token)],
  ['path', (token) => token.length > 4 && FILE_NAME.test(token)],
  ['symbol', isSymbol],
];

/** Most words of any text: decided at once. */
const ORDINARY = /^(?:[A-Za-z]?[a-z'’]*|[^A-Za-z0-9\u0080-\uffff]*)$/;

/** The kind of one token without blanks, or undefined where it is an ordinary word or noise. Linear in its length. */
export function classifyValue(token: string): ValueKind | undefined {
  if (token.length > LONGEST_URL || ORDINARY.test(token)) return undefined;
  if (URL_LIKE.test(token)) return 'url';
  if (token.length > LONGEST_VALUE || isNoise(token)) return undefined;
  return TESTS.find(([, holds]) => holds(token))?.[0];
}
