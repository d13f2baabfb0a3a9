import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { endOfCl100kPiece } from './cl100k-pieces.js';
import { Encoding } from './encoding.js';
import { endOfO200kPiece } from './o200k-pieces.js';
import { parseVocabulary } from './parse-vocabulary.js';
import type { PieceEnd } from './piece-endings.js';

export type EncodingName = 'o200k_base' | 'cl100k_base';

const END_OF_PIECE: Readonly<Record<EncodingName, PieceEnd>> = {
  o200k_base: endOfO200kPiece,
  cl100k_base: endOfCl100kPiece,
};

const loaded = new Map<EncodingName, Encoding>();

/** Loads the encoding on first use (some ten milliseconds, a few megabytes) and keeps it for the process. */
export function encodingOf(name: EncodingName): Encoding {
  let encoding = loaded.get(name);
  if (!encoding) {
    const path = createRequire(import.meta.url).resolve(`gpt-tokenizer/data/${name}.tiktoken`);
    encoding = new Encoding(END_OF_PIECE[name], parseVocabulary(readFileSync(path)));
    loaded.set(name, encoding);
  }
  return encoding;
}
