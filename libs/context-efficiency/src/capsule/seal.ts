import { digestOf } from '../hashing/digests.js';
import { canonicalJson } from '../json/canonical-json.js';
import type { Capsule, SealedCapsule } from './capsule-schema.js';
import { byteLength } from './private-content.js';

/** A capsule with its hash, as canonical text too: that text's bytes are what is counted and stored. */
export type Seal = { readonly capsule: SealedCapsule; readonly bytes: number };

/** Step 6 of §6.1: the hash is over everything else. Members come in canonical order. */
export function seal({ capsule_hash: _, ...rest }: Capsule): Seal {
  const text = canonicalJson({ ...rest, capsule_hash: digestOf(canonicalJson(rest)) });
  return { capsule: JSON.parse(text) as SealedCapsule, bytes: byteLength(text) };
}
