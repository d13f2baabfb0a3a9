import { certificateSchema, type Certificate, type RecordedEvent } from '@palimpsest/contracts';
import { toHex, type ChainHash } from '../event-log/chain.js';
import { firstBrokenLink, type BrokenLink } from '../event-log/verify-chain.js';
import { certificateStatement } from './certificate-statement.js';
import { namedArtifacts } from './named-artifacts.js';

/** What is trusted, and what is at hand. */
export type CertificateCheck = {
  readonly hash: ChainHash;
  /** Undefined: no key of this id is trusted. */
  readonly isSigned: (keyId: string, said: Uint8Array, signature: string) => boolean | undefined;
  /** Bytes of the artifacts that are at hand: the canonical JSON of their content. The others are not looked at. */
  readonly artifactBytes?: ReadonlyMap<string, Uint8Array>;
};

export type CertificateDifference = {
  readonly what: 'form' | BrokenLink['what'] | 'artifact list' | 'artifact' | 'key' | 'signature';
  readonly sequence?: number;
  readonly artifactId?: string;
  /** Where in the document its form is wrong. */
  readonly path?: string;
};

/**
 * Checks a certificate without a server: the first difference, undefined where there is none. In order: its form, every
 * event and link from the beginning to the head, the list of artifacts, the artifacts' bytes, the signature.
 */
export async function firstCertificateDifference(
  check: CertificateCheck,
  document: unknown,
): Promise<CertificateDifference | undefined> {
  const parsed = certificateSchema.safeParse(document);
  if (!parsed.success) return { what: 'form', path: parsed.error.issues[0]?.path.join('.') ?? '' };
  const certificate = parsed.data;
  return (
    (await brokenChain(check, certificate)) ??
    unlistedArtifact(certificate) ??
    alteredArtifact(check, certificate) ??
    badSignature(check, certificate)
  );
}

function brokenChain({ hash }: CertificateCheck, certificate: Certificate): Promise<BrokenLink | undefined> {
  const { run, ancestors, link } = certificate;
  const events = certificate.events as readonly RecordedEvent[];
  const chained = { ...run, link } as Parameters<typeof firstBrokenLink>[1]['run'];
  return firstBrokenLink(hash, { run: chained, ancestors: ancestors, events });
}

/** Every artifact that an event names is in the list once, and no other. */
function unlistedArtifact({ events, artifacts }: Certificate): CertificateDifference | undefined {
  const named = namedArtifacts(events as readonly RecordedEvent[]);
  const length = Math.max(named.length, artifacts.length);
  for (let place = 0; place < length; place += 1) {
    const [wanted, listed] = [named[place], artifacts[place]?.artifactId];
    const artifactId = wanted ?? listed;
    if (wanted !== listed && artifactId !== undefined) return { what: 'artifact list', artifactId };
  }
  return undefined;
}

function alteredArtifact(
  { hash, artifactBytes }: CertificateCheck,
  { artifacts }: Certificate,
): CertificateDifference | undefined {
  const altered = artifacts.find(({ artifactId, sha256 }) => {
    const bytes = artifactBytes?.get(artifactId);
    return bytes && sha256 !== toHex(hash.sha256(bytes));
  });
  return altered && { what: 'artifact', artifactId: altered.artifactId };
}

function badSignature(
  { hash, isSigned }: CertificateCheck,
  certificate: Certificate,
): CertificateDifference | undefined {
  const { keyId, value } = certificate.signature;
  const signed = isSigned(keyId, certificateStatement(hash, certificate), value);
  if (signed === undefined) return { what: 'key' };
  return signed ? undefined : { what: 'signature' };
}
