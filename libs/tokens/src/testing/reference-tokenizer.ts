import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Tiktoken } from 'tiktoken/lite';
import type { EncodingName } from '../encodings.js';

/**
 * The pattern that tiktoken 0.8 and newer have for cl100k_base; the WASM build still carries the older one, which
 * splits white space at the end of a text elsewhere.
 */
const CL100K_PATTERN = String.raw`'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s`;

const resolve = createRequire(import.meta.url).resolve;

function referenceOf(name: EncodingName): Tiktoken {
  const path = resolve(`tiktoken/encoders/${name}.json`);
  const encoder = JSON.parse(readFileSync(path, 'utf8')) as { bpe_ranks: string; pat_str: string };
  return new Tiktoken(encoder.bpe_ranks, {}, name === 'cl100k_base' ? CL100K_PATTERN : encoder.pat_str);
}

const references = { o200k_base: referenceOf('o200k_base'), cl100k_base: referenceOf('cl100k_base') };

/** The count of the reference implementation: another program (Rust, compiled to WASM) with its own rank tables. */
export function referenceCount(text: string, name: EncodingName): number {
  return references[name].encode_ordinary(text).length;
}
