import { refuse } from '../answers/context-refusal.js';
import { sha256 } from '../hashing/digests.js';
import { isCorpusId } from '../vocabulary/identifiers.js';

/** The place of a corpus id in [0, 100) (contract §8): raising a percentage only ever adds ids. */
export function canaryBucket(id: unknown): number {
  if (!isCorpusId(id)) return refuse('INVALID_REQUEST');
  return (sha256(id).readUInt32BE(0) / 2 ** 32) * 100;
}
