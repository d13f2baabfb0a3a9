import { createHash, createHmac } from 'node:crypto';
import { CERTIFICATE_FORMAT, type Certificate, type CertifiedRun } from '@palimpsest/contracts';
import { contentHashOf, forkLink, genesisLink, linkAfter, type ChainHash } from '../event-log/chain.js';
import { certificateStatement } from './certificate-statement.js';
import { firstCertificateDifference, type CertificateDifference } from './verify-certificate.js';

const digest = (said: Uint8Array | string) => createHash('sha256').update(said);
const hash: ChainHash = {
  sha256: (bytes) => digest(bytes).digest(),
  sha256Hex: (text) => digest(text).digest('hex'),
};

const AT = '2026-01-01T00:00:00.000Z';
const KEY_ID = 'a'.repeat(32);
const art = (name: string) => `art_${name.repeat(32)}`;
const texts = new Map([
  [art('a'), '{"text":"a"}'],
  [art('b'), '{"text":"b"}'],
]);
const bytes = new Map([...texts].map(([id, text]) => [id, Buffer.from(text)]));

const sign = (said: Uint8Array) => createHmac('sha512', 'key').update(said).digest('hex');
const isSigned = (keyId: string, said: Uint8Array, signature: string) =>
  keyId === KEY_ID ? signature === sign(said) : undefined;

const source: CertifiedRun = { tenantId: 'acme', runId: 'source', createdAt: AT };
const fork: CertifiedRun = {
  tenantId: 'acme',
  runId: 'fork',
  createdAt: AT,
  origin: { runId: 'source', fromSequence: 2, mode: 'branch' },
};

/** A fork that shares two events, and has two of its own. */
function certificate(): Certificate {
  let link = genesisLink(hash, 'acme', 'source');
  const events = [art('a'), 'nothing', { deep: [art('b')] }, art('a')].map((about, sequence) => {
    const writtenIn = sequence < 2 ? 'source' : 'fork';
    if (sequence === 2)
      link = forkLink(hash, link, { ...fork, origin: fork.origin as NonNullable<typeof fork.origin> });
    const said = { type: 'test.noted', payload: { about }, schemaVersion: 1, sequence };
    const contentHash = contentHashOf(hash, said);
    const causationId = sequence === 3 ? { causationId: 'evt-fork-2' } : {};
    link = linkAfter(hash, link, { contentHash, timestamp: AT, ...causationId });
    const chain = { writtenIn, contentHash, link, ...causationId };
    return { ...said, eventId: `evt-fork-${sequence}`, runId: 'fork', timestamp: AT, ...causationId, chain };
  });
  const artifacts = [...texts].map(([artifactId, text]) => ({ artifactId, sha256: hash.sha256Hex(text) }));
  const unsigned = {
    format: CERTIFICATE_FORMAT,
    run: fork,
    ancestors: [source],
    link,
    events,
    artifacts,
  } as const;
  const value = sign(certificateStatement(hash, { ...unsigned, ancestors: [source], events, artifacts }));
  return {
    ...unsigned,
    ancestors: [source],
    signature: { algorithm: 'Ed25519', keyId: KEY_ID, value },
  };
}

/** To be altered in ways that its type does not allow. */
type Loose = {
  events: LooseEvent[];
  artifacts: { artifactId: string; sha256: string | null }[];
  signature: { value: string; keyId: string };
  run: unknown;
  ancestors: unknown[];
  link: string;
  more?: boolean;
};
type LooseEvent = {
  type: string;
  timestamp: string;
  payload: Record<string, unknown>;
  chain: Record<string, string>;
};

const loose = () => JSON.parse(JSON.stringify(certificate())) as Loose;
const event = ({ events }: Loose, sequence: number) => events[sequence] as LooseEvent;

const TAMPERINGS: Record<string, [CertificateDifference, (document: Loose) => void]> = {
  'an event': [{ what: 'content', sequence: 1 }, (it) => (event(it, 1).payload.about = 'all')],
  'a shared event': [{ what: 'content', sequence: 0 }, (it) => (event(it, 0).type = 'test.other')],
  'a time': [{ what: 'link', sequence: 2 }, (it) => (event(it, 2).timestamp = '2026-01-01T00:00:00.001Z')],
  'an order': [
    { what: 'sequence', sequence: 1 },
    (it) => it.events.splice(1, 2, ...it.events.slice(1, 3).reverse()),
  ],
  'a missing event': [{ what: 'sequence', sequence: 2 }, (it) => it.events.splice(2, 1)],
  'a missing end': [{ what: 'head', sequence: 3 }, (it) => it.events.pop()],
  'a head': [{ what: 'head', sequence: 4 }, (it) => (it.link = '0'.repeat(64))],
  'a link': [{ what: 'link', sequence: 1 }, (it) => (event(it, 1).chain.link = '0'.repeat(64))],
  'a cause': [{ what: 'link', sequence: 3 }, (it) => (event(it, 3).chain.causationId = 'evt-fork-1')],
  'a fork point': [
    { what: 'writer', sequence: 2 },
    (it) => (it.run = { ...fork, origin: { ...fork.origin, fromSequence: 1 } }),
  ],
  'a fork record': [
    { what: 'link', sequence: 2 },
    (it) => (it.run = { ...fork, origin: { ...fork.origin, mode: 'replay' } }),
  ],
  'another source': [{ what: 'writer', sequence: 0 }, (it) => (it.ancestors = [])],
  'another tenant': [
    { what: 'link', sequence: 0 },
    (it) => (it.ancestors = [{ ...source, tenantId: 'other' }]),
  ],
  'a hash of an artifact': [
    { what: 'artifact', artifactId: art('b') },
    (it) => it.artifacts.splice(1, 1, { artifactId: art('b'), sha256: '0'.repeat(64) }),
  ],
  'a missing artifact': [{ what: 'artifact list', artifactId: art('a') }, (it) => it.artifacts.shift()],
  'a surplus artifact': [
    { what: 'artifact list', artifactId: art('c') },
    (it) => it.artifacts.push({ artifactId: art('c'), sha256: null }),
  ],
  'a signature': [{ what: 'signature' }, (it) => (it.signature.value = '0'.repeat(128))],
  'a key': [{ what: 'key' }, (it) => (it.signature.keyId = 'b'.repeat(32))],
  'a form': [{ what: 'form', path: 'events.1.chain.link' }, (it) => (event(it, 1).chain.link = 'no')],
  'a surplus member': [{ what: 'form', path: '' }, (it) => (it.more = true)],
};

describe('a certificate', () => {
  it('is whole as it was issued, with the bytes of its artifacts or without', async () => {
    const issued = JSON.parse(JSON.stringify(certificate())) as unknown;
    expect(await firstCertificateDifference({ hash, isSigned }, issued)).toBeUndefined();
    expect(
      await firstCertificateDifference({ hash, isSigned, artifactBytes: bytes }, issued),
    ).toBeUndefined();
  });

  it.each(Object.keys(TAMPERINGS))('shows what was altered: %s', async (name) => {
    const [difference, tamper] = TAMPERINGS[name] ?? [];
    const document = loose();
    tamper?.(document);
    const check = { hash, isSigned, artifactBytes: bytes };
    expect(await firstCertificateDifference(check, document)).toEqual(difference);
  });

  it('shows a byte of an artifact that was altered', async () => {
    const altered = new Map([...bytes].map(([id, of]) => [id, Buffer.from(of)]));
    const [, first] = [...altered.values()];
    if (first) first[9] = 0x63;
    const check = { hash, isSigned, artifactBytes: altered };
    expect(await firstCertificateDifference(check, certificate())).toEqual({
      what: 'artifact',
      artifactId: art('b'),
    });
  });

  it('has hashes of artifacts that the signature covers, where no bytes are at hand', async () => {
    const document = loose();
    document.artifacts.splice(0, 1, { artifactId: art('a'), sha256: null });
    expect(await firstCertificateDifference({ hash, isSigned }, document)).toEqual({ what: 'signature' });
  });
});
