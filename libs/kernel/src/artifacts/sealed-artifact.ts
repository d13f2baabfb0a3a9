import { ARTIFACT_TYPES, artifactIdSchema, type ArtifactType, type JsonValue } from '@palimpsest/contracts';
import { canonicalJson } from '../canonical-json.js';
import { ArtifactCorruptError, ValidationError } from '../errors/known-errors.js';
import { TerminalError } from '../errors/palimpsest-error.js';
import type { NewArtifact, StoredArtifact } from '../ports/artifact-store.js';
import { artifactIdOf, type ContentHash } from './artifact-id.js';

/** Most bytes of one artifact's canonical JSON. */
export const MAX_ARTIFACT_BYTES = 16 * 1024 * 1024;

const MAX_ORIGIN = 512;

/** An artifact that passed every check, as its canonical UTF-8 JSON. */
export type EncodedArtifact = {
  readonly type: ArtifactType;
  readonly origin: string;
  readonly bytes: Uint8Array;
  readonly derivedFrom: readonly string[];
};

/** An artifact ready to be stored. */
export type SealedArtifact = EncodedArtifact & {
  readonly artifactId: string;
  readonly sha256: Uint8Array;
};

/** An artifact as it lies in a store. */
export type ArtifactRecord = {
  readonly artifactId: string;
  readonly type: ArtifactType;
  readonly bytes: Uint8Array;
  readonly sha256: Uint8Array;
  readonly createdAt: Date;
};

/** Checks and encodes; every adapter refuses the same artifacts with the same errors. */
export function encodeArtifact(artifact: NewArtifact): EncodedArtifact {
  if (!ARTIFACT_TYPES.includes(artifact.type)) throw new ValidationError('Unknown artifact type.');
  const derivedFrom = [...new Set(artifact.derivedFrom ?? [])];
  if (!derivedFrom.every((id) => artifactIdSchema.safeParse(id).success))
    throw new ValidationError('An artifact derives from something that is no artifact id.');
  const bytes = new TextEncoder().encode(canonicalJson(artifact.content));
  if (bytes.length > MAX_ARTIFACT_BYTES)
    throw new TerminalError('payload_too_large', 'An artifact is larger than the store takes.', {
      details: { bytes: bytes.length, maxBytes: MAX_ARTIFACT_BYTES },
    });
  return { type: artifact.type, origin: originOf(artifact), bytes, derivedFrom };
}

function originOf({ origin = '' }: NewArtifact): string {
  if (typeof origin === 'string' && origin.length <= MAX_ORIGIN && origin.isWellFormed()) return origin;
  throw new ValidationError('An origin is well-formed text of at most 512 characters.');
}

/** Encodes all before it computes anything, so that a bad artifact refuses the whole put. */
export function sealArtifacts(
  hash: ContentHash,
  key: Uint8Array,
  artifacts: readonly NewArtifact[],
): readonly SealedArtifact[] {
  return artifacts.map(encodeArtifact).map((encoded) => ({
    ...encoded,
    artifactId: artifactIdOf(hash, key, encoded),
    sha256: hash.sha256(encoded.bytes),
  }));
}

/** Decodes what lies in a store; content that is not what was stored is an `ArtifactCorruptError`. */
export function openArtifact(hash: ContentHash, record: ArtifactRecord): StoredArtifact {
  if (!sameBytes(hash.sha256(record.bytes), record.sha256)) throw new ArtifactCorruptError(record.artifactId);
  return {
    artifactId: record.artifactId,
    type: record.type,
    content: JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(record.bytes)) as JsonValue,
    createdAt: record.createdAt.toISOString(),
  };
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
