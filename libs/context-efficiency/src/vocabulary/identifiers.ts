import { STRATA } from './words.js';

const CORPUS_ID = new RegExp(`^(?:anon-[0-9a-f]{16,64}|(?:${STRATA.join('|')})-[0-9]{2})$`);
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** An anonymous corpus id (contract §2). */
export function isCorpusId(value: unknown): value is string {
  return typeof value === 'string' && CORPUS_ID.test(value);
}

/** `sha256:` and 64 lower-case hexadecimal digits (contract §2). */
export function isDigest(value: unknown): value is string {
  return typeof value === 'string' && DIGEST.test(value);
}
