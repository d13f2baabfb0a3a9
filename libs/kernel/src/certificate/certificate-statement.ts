import { CERTIFICATE_FORMAT, type Certificate } from '@palimpsest/contracts';
import { canonicalStored } from '../canonical-json.js';
import type { ChainHash } from '../event-log/chain.js';

export type UnsignedCertificate = Omit<Certificate, 'signature'>;

/**
 * What a host signs: the head of the chain, which stands for every event, and the digest of the artifacts' hashes, which
 * the chain does not know: an id is a keyed hash that nobody else can make again.
 */
export function certificateStatement(hash: ChainHash, certificate: UnsignedCertificate): Uint8Array {
  const { run, link, events, artifacts } = certificate;
  const text = canonicalStored({
    format: CERTIFICATE_FORMAT,
    tenantId: run.tenantId,
    runId: run.runId,
    events: events.length,
    link,
    artifacts: hash.sha256Hex(
      canonicalStored(artifacts.map(({ artifactId, sha256 }) => [artifactId, sha256])),
    ),
  });
  return new TextEncoder().encode(text);
}
