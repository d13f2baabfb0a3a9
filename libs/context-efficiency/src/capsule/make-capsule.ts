import { refuse } from '../answers/context-refusal.js';
import { factOf, type Facts } from '../json/facts.js';
import { isCapsule, type Capsule, type SealedCapsule } from './capsule-schema.js';
import { refuseBadReferences } from './file-references.js';
import { moveEvidence } from './move-evidence.js';
import { refusePrivateContent } from './private-content.js';
import { seal } from './seal.js';

export const DEFAULT_CAPSULE_BYTES = 12_288;

/**
 * Checks and seals a capsule, and moves its evidence out where it does not fit (contract §6). The request is
 * `{ capsule, max_bytes?, artifact_path?, artifact_roots? }`.
 */
export function makeCapsule(request: Facts): SealedCapsule {
  const maxBytes = maxBytesOf(request);
  const capsule = capsuleOf(factOf(request, 'capsule'));
  refusePrivateContent(capsule);
  refuseBadReferences(capsule);
  const whole = seal(capsule);
  if (whole.bytes <= maxBytes) return whole.capsule;
  const destination = { path: factOf(request, 'artifact_path'), roots: factOf(request, 'artifact_roots') };
  return sealShortened(moveEvidence(capsule, destination), maxBytes);
}

function maxBytesOf(request: Facts): number {
  if (!Object.hasOwn(request, 'max_bytes')) return DEFAULT_CAPSULE_BYTES;
  const bytes = factOf(request, 'max_bytes');
  return Number.isInteger(bytes) && (bytes as number) >= 1 ? (bytes as number) : refuse('INVALID_REQUEST');
}

/** Steps 2 and 3 of §6.1: an array breaks the schema, what is no structure at all is no operand. */
function capsuleOf(value: unknown): Capsule {
  if (typeof value !== 'object' || value === null) return refuse('INVALID_REQUEST');
  return isCapsule(value) ? value : refuse('CAPSULE_SCHEMA_INVALID');
}

/** §6.5, 6: private marks and references over the whole of it, then the size, then the schema once more. */
function sealShortened(shortened: Capsule, maxBytes: number): SealedCapsule {
  const { capsule, bytes } = seal(shortened);
  refusePrivateContent(capsule);
  refuseBadReferences(capsule);
  if (bytes > maxBytes) return refuse('CAPSULE_MANDATORY_OVERFLOW');
  return isCapsule(capsule) ? capsule : refuse('CAPSULE_SCHEMA_INVALID');
}
