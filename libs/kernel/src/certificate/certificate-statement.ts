import {
  CERTIFICATE_FORMAT,
  type CertificateEndLine,
  type CertificateRunLine,
  type CertifiedArtifact,
  type JsonValue,
} from '@palimpsest/contracts';
import { canonicalStored } from '../canonical-json.js';
import type { ChainHash } from '../event-log/chain.js';

/** Digest of the artifacts of a run that names none. */
export const NO_ARTIFACTS = '';

/**
 * The digest of the artifacts up to one more: `SHA-256(RFC 8785 of [digest before, artifact])`, so that a list of any
 * length has one without being held.
 */
export function nextArtifactsDigest(hash: ChainHash, before: string, artifact: CertifiedArtifact): string {
  return hash.sha256Hex(canonicalStored([before, artifact]));
}

export type CertificateStatement = Pick<CertificateRunLine, 'run' | 'ancestors'> &
  Pick<CertificateEndLine, 'issuedAt' | 'events' | 'artifacts' | 'link'> & {
    readonly artifactsDigest: string;
  };

/**
 * What a host signs: whose run it is, the head of the chain, which stands for every event, and the digest of the
 * artifacts' hashes, which the chain does not know: an id is a keyed hash that nobody else can make again.
 */
export function certificateStatement(said: CertificateStatement): Uint8Array {
  const { run, ancestors, issuedAt, events, artifacts, link, artifactsDigest } = said;
  const statement = { run, ancestors, issuedAt, events, artifacts, link, artifactsDigest };
  const text = canonicalStored({ format: CERTIFICATE_FORMAT, ...statement } as JsonValue);
  return new TextEncoder().encode(text);
}
