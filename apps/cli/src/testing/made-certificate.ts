import { generateKeyPairSync } from 'node:crypto';
import { nodeContentHash as hash } from '@palimpsest/adapter-postgres';
import { CERTIFICATE_FORMAT, type CertificateLine } from '@palimpsest/contracts';
import { hostKeyOf } from '@palimpsest/host';
import {
  certificateStatement,
  certifiedEvent,
  contentHashOf,
  genesisLink,
  linkAfter,
  nextArtifactsDigest,
  NO_ARTIFACTS,
} from '@palimpsest/kernel';

export const ARTIFACT = `art_${'a'.repeat(32)}`;
export const CONTENT = { text: 'what was said' };

const issuedAt = '2026-01-01T00:00:00.000Z';
const run = { tenantId: 'acme', runId: 'run_1', createdAt: issuedAt };

export type MadeCertificate = {
  /** Lines 1, 2 and 3, 4, 5: the run, two events, one artifact, the end. */
  readonly lines: readonly string[];
  /** PEM. */
  readonly publicKey: string;
  readonly privateKey: string;
  readonly keyId: string;
};

/** A certificate of a run of two events, as a host would give it. */
export function madeCertificate(): MadeCertificate {
  const privateKey = generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  const { keyId, publicKey, sign } = hostKeyOf(privateKey);
  let link = genesisLink(hash, run.tenantId, run.runId);
  const events = ['run.started', 'palimpsest.message.appended'].map((type, sequence) => {
    const event = {
      type,
      payload: { artifactId: ARTIFACT },
      schemaVersion: 1,
      sequence,
      timestamp: issuedAt,
    };
    const contentHash = contentHashOf(hash, event);
    link = linkAfter(hash, link, { contentHash, timestamp: issuedAt });
    return certifiedEvent(event, { writtenIn: run.runId, contentHash, link });
  });
  const artifact = { artifactId: ARTIFACT, sha256: hash.sha256Hex(JSON.stringify(CONTENT)) };
  const end = { issuedAt, events: events.length, artifacts: 1, link };
  const artifactsDigest = nextArtifactsDigest(hash, NO_ARTIFACTS, artifact);
  const value = sign(certificateStatement({ run, ancestors: [], ...end, artifactsDigest }));
  const lines: CertificateLine[] = [
    { line: 'run', format: CERTIFICATE_FORMAT, run, ancestors: [] },
    ...events,
    { line: 'artifact', artifact },
    { line: 'end', ...end, signature: { algorithm: 'Ed25519', keyId, value } },
  ];
  return { lines: lines.map((line) => JSON.stringify(line)), publicKey, privateKey, keyId };
}
