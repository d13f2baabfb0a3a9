// Asks the reference tokenizer (the WASM build of its Rust source) for the class of every code point and writes
// src/unicode-class-runs.ts. Run it from libs/tokens when the reference moves to another Unicode version.
import { writeFileSync } from 'node:fs';
import { Tiktoken } from 'tiktoken/lite';

const SINGLE_BYTES = `! 0 ${Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]).toString('base64')).join(' ')}`;
const PATTERNS = {
  U: '[\\p{Lu}\\p{Lt}]',
  L: '\\p{Ll}',
  C: '[\\p{Lm}\\p{Lo}]',
  M: '\\p{M}',
  N: '\\p{N}',
  S: '\\s',
};
const matchers = Object.entries(PATTERNS).map(([letter, pattern]) => [
  letter,
  new Tiktoken(SINGLE_BYTES, {}, pattern),
]);

function classOf(point) {
  if (point >= 0xd800 && point < 0xe000) return 'O';
  const text = String.fromCodePoint(point);
  return matchers.find(([, matcher]) => matcher.encode_ordinary(text).length > 0)?.[0] ?? 'O';
}

const runs = [];
let current = { letter: classOf(0), length: 0 };
for (let point = 0; point < 0x110000; point += 1) {
  const letter = classOf(point);
  if (letter !== current.letter) {
    runs.push(current);
    current = { letter, length: 0 };
  }
  current.length += 1;
}
runs.push(current);

const lines = [];
let line = '';
for (const run of runs.map(({ letter, length }) => length.toString(36) + letter)) {
  if (line.length + run.length > 100) {
    lines.push(line);
    line = '';
  }
  line += run;
}
lines.push(line);
writeFileSync(
  new URL('../src/unicode-class-runs.ts', import.meta.url),
  `/**
 * Runs of code points of one class, from U+0000 on: a length in base 36 and a letter (U: Lu Lt, L: Ll, C: Lm Lo, M, N,
 * S: White_Space, O: all others and surrogates). Unicode 16, as the reference tokenizer has it; the regular
 * expressions of the running Node may know another Unicode. Written by tools/generate-unicode-classes.mjs.
 */
export const UNICODE_CLASS_RUNS = [
${lines.map((text) => `  '${text}',`).join('\n')}
].join('');
`,
);
