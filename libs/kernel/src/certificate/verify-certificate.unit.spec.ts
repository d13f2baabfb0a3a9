import { createHash, createHmac } from 'node:crypto';
import {
  CERTIFICATE_FORMAT,
  type CertificateLine,
  type CertifiedArtifact,
  type CertifiedRun,
  type JsonObject,
} from '@palimpsest/contracts';
import { contentHashOf, forkLink, genesisLink, linkAfter, type ChainHash } from '../event-log/chain.js';
import { certifiedEvent } from './certificate-lines.js';
import { certificateStatement, nextArtifactsDigest, NO_ARTIFACTS } from './certificate-statement.js';
import { verifyCertificate } from './verify-certificate.js';

const digest = (said: Uint8Array | string) => createHash('sha256').update(said);
const hash: ChainHash = {
  sha256: (bytes) => digest(bytes).digest(),
  sha256Hex: (text) => digest(text).digest('hex'),
};

const AT = '2026-01-01T00:00:00.000Z';
const KEY_ID = 'a'.repeat(32);
const ZEROS = '0'.repeat(64);
const art = (name: string) => `art_${name.repeat(32)}`;
const texts = new Map([
  [art('b'), '{"text":"b"}'],
  [art('a'), '{"text":"a"}'],
]);
const bytesOf = (id: string) => Promise.resolve(texts.has(id) ? Buffer.from(texts.get(id) ?? '') : undefined);

const sign = (said: Uint8Array) => createHmac('sha512', 'key').update(said).digest('hex');
const isSigned = (keyId: string, said: Uint8Array, signature: string) =>
  keyId === KEY_ID ? signature === sign(said) : undefined;

const source: CertifiedRun = { tenantId: 'acme', runId: 'source', createdAt: AT };
const origin = { runId: 'source', fromSequence: 2, mode: 'branch' } as const;
const fork = { tenantId: 'acme', runId: 'fork', createdAt: AT, origin };

const SAID: readonly { type: string; payload: JsonObject; cause?: string }[] = [
  { type: 'palimpsest.message.appended', payload: { artifactId: art('b') } },
  { type: 'test.noted', payload: { about: 'nothing', artifactId: art('c') } },
  { type: 'palimpsest.window.planned', payload: { cuts: [{ artifactId: art('a') }] } },
  { type: 'palimpsest.message.appended', payload: { artifactId: art('b') }, cause: 'evt-fork-2' },
];

/** A fork that shares two events, and has two of its own: lines 1, 2 to 5, 6 and 7, 8. */
function certificate(cause = SAID[3]?.cause): CertificateLine[] {
  let link = genesisLink(hash, 'acme', 'source');
  const events = SAID.map(({ type, payload }, sequence) => {
    if (sequence === 2) link = forkLink(hash, link, fork);
    const event = { type, payload, schemaVersion: 1, sequence, timestamp: AT };
    const contentHash = contentHashOf(hash, event);
    const causationId = sequence === 3 && cause !== undefined ? { causationId: cause } : {};
    link = linkAfter(hash, link, { contentHash, timestamp: AT, ...causationId });
    const writtenIn = sequence < 2 ? 'source' : 'fork';
    return certifiedEvent(event, { writtenIn, ...causationId, contentHash, link });
  });
  const artifacts: CertifiedArtifact[] = [...texts].map(([artifactId, text]) => ({
    artifactId,
    sha256: hash.sha256Hex(text),
  }));
  const runs = { run: fork, ancestors: [source] };
  const counts = { issuedAt: AT, events: 4, artifacts: 2, link };
  const artifactsDigest = artifacts.reduce(
    (before, each) => nextArtifactsDigest(hash, before, each),
    NO_ARTIFACTS,
  );
  const value = sign(certificateStatement({ ...runs, ...counts, artifactsDigest }));
  return [
    { line: 'run', format: CERTIFICATE_FORMAT, ...runs },
    ...events,
    ...artifacts.map((artifact) => ({ line: 'artifact' as const, artifact })),
    { line: 'end', ...counts, signature: { algorithm: 'Ed25519', keyId: KEY_ID, value } },
  ];
}

/** To be altered in ways that its type does not allow. */
type Loose = Record<string, unknown> & Record<'payload' | 'run' | 'signature' | 'artifact', JsonObject>;
type Lines = Loose[];

const loose = () => JSON.parse(JSON.stringify(certificate())) as Lines;
const set = (line: number, changes: object) => (it: Lines) => void Object.assign(it[line - 1] ?? {}, changes);
const swap = (line: number) => (it: Lines) =>
  void it.splice(line - 1, 2, ...it.slice(line - 1, line + 1).reverse());
const twice = (line: number) => (it: Lines) => void it.splice(line, 0, it[line - 1] as Loose);
const without = (line: number) => (it: Lines) => void it.splice(line - 1, 1);

const TAMPERINGS: readonly (readonly [string, object, (lines: Lines) => void])[] = [
  ['what an event says', { what: 'content', sequence: 1, line: 3 }, set(3, { payload: { about: 'all' } })],
  ['the type of a shared event', { what: 'content', sequence: 0, line: 2 }, set(2, { type: 'test.other' })],
  ['the node of an event', { what: 'content', sequence: 2, line: 4 }, set(4, { nodeId: 'other' })],
  ['the version of an event', { what: 'content', sequence: 2 }, set(4, { schemaVersion: 2 })],
  [
    'the counts of an event',
    { what: 'content', sequence: 0 },
    set(2, { counts: { o200k_base: 1, cl100k_base: 1, chars: 1 } }),
  ],
  ['a time', { what: 'link', sequence: 2 }, set(4, { timestamp: '2026-01-01T00:00:00.001Z' })],
  ['a cause', { what: 'link', sequence: 3 }, set(5, { causationId: 'evt-fork-1' })],
  ['a content hash', { what: 'content', sequence: 1 }, set(3, { contentHash: ZEROS })],
  ['a link', { what: 'link', sequence: 1 }, set(3, { link: ZEROS })],
  ['a writer', { what: 'writer', sequence: 1 }, set(3, { writtenIn: 'fork' })],
  ['a missing event', { what: 'sequence', sequence: 2, line: 4 }, without(4)],
  ['an event twice', { what: 'sequence', sequence: 2, line: 4 }, twice(3)],
  ['an order of events', { what: 'sequence', sequence: 1, line: 3 }, swap(3)],
  ['an event in another place', { what: 'order', line: 6 }, swap(5)],
  ['a missing last event', { what: 'head', sequence: 3 }, without(5)],
  ['the run', { what: 'order', line: 1 }, without(1)],
  ['the run twice', { what: 'order', line: 2 }, twice(1)],
  ['the run behind an event', { what: 'order', line: 1 }, swap(1)],
  [
    'a fork point',
    { what: 'writer', sequence: 2 },
    set(1, { run: { ...fork, origin: { ...origin, fromSequence: 1 } } }),
  ],
  [
    'a fork record',
    { what: 'link', sequence: 2 },
    set(1, { run: { ...fork, origin: { ...origin, mode: 'replay' } } }),
  ],
  ['a missing ancestor', { what: 'writer', sequence: 0 }, set(1, { ancestors: [] })],
  [
    'another tenant',
    { what: 'link', sequence: 0 },
    set(1, { ancestors: [{ ...source, tenantId: 'other' }] }),
  ],
  [
    'when an ancestor was made',
    { what: 'beginning', sequence: 0, line: 2 },
    set(1, { ancestors: [{ ...source, createdAt: '2025-01-01T00:00:00.000Z' }] }),
  ],
  ['the format', { what: 'form', path: 'format', line: 1 }, set(1, { format: 'palimpsest.certificate.v0' })],
  [
    'a hash of an artifact',
    { what: 'artifact', artifactId: art('a'), line: 7 },
    set(7, { artifact: { artifactId: art('a'), sha256: ZEROS } }),
  ],
  [
    'an artifact that was not erased',
    { what: 'signature' },
    set(7, { artifact: { artifactId: art('a'), absent: 'erased' } }),
  ],
  ['a missing artifact', { what: 'artifact list', artifactId: art('a'), line: 6 }, without(6)],
  ['a missing last artifact', { what: 'artifact list', artifactId: art('a'), line: 7 }, without(7)],
  ['an artifact twice', { what: 'artifact list', artifactId: art('b'), line: 7 }, twice(6)],
  ['an order of artifacts', { what: 'artifact list', artifactId: art('a'), line: 6 }, swap(6)],
  [
    'another artifact',
    { what: 'artifact list', artifactId: art('c') },
    set(7, { artifact: { artifactId: art('c'), sha256: ZEROS } }),
  ],
  ['a head', { what: 'head', sequence: 4, line: 8 }, set(8, { link: ZEROS })],
  ['a number of events', { what: 'counts', line: 8 }, set(8, { events: 5 })],
  ['a number of artifacts', { what: 'counts', line: 8 }, set(8, { artifacts: 1 })],
  ['when it was issued', { what: 'signature', line: 8 }, set(8, { issuedAt: '2026-01-02T00:00:00.000Z' })],
  [
    'a signature',
    { what: 'signature', line: 8 },
    (it) => void ((it[7] as Loose).signature = signed({ value: '0'.repeat(128) })),
  ],
  [
    'a key',
    { what: 'key', line: 8 },
    (it) => void ((it[7] as Loose).signature = signed({ keyId: 'b'.repeat(32) })),
  ],
  ['a missing end', { what: 'cut off', line: 8 }, without(8)],
  ['all but its beginning', { what: 'cut off', line: 4 }, (it) => void it.splice(3)],
  ['everything', { what: 'cut off', line: 1 }, (it) => void it.splice(0)],
  ['an end twice', { what: 'order', line: 9 }, twice(8)],
  ['an end before its time', { what: 'artifact list', artifactId: art('a'), line: 7 }, swap(7)],
  ['a surplus member', { what: 'form', line: 3 }, set(3, { more: true })],
  ['a form', { what: 'form', path: 'link', line: 3 }, set(3, { link: 'no' })],
  ['another kind of line', { what: 'form', line: 3 }, set(3, { line: 'note' })],
];

function signed(changes: JsonObject): JsonObject {
  return { algorithm: 'Ed25519', keyId: KEY_ID, value: '0'.repeat(128), ...changes };
}

async function* linesOf(lines: readonly unknown[]): AsyncGenerator<unknown> {
  for (const line of lines) yield line;
}

const TRUSTING = { hash, isSigned, artifactBytes: bytesOf };

describe('a certificate', () => {
  it('is whole as it was issued, with the bytes of its artifacts or without', async () => {
    const whole = { ok: true, events: 4, signature: 'valid', keyId: KEY_ID, issuedAt: AT };
    const run = { tenantId: 'acme', runId: 'fork', ancestors: ['source'] };
    const artifacts = { listed: 2, compared: 2, erased: 0, missing: 0, damaged: 0 };
    expect(await verifyCertificate(TRUSTING, linesOf(loose()))).toEqual({ ...whole, run, artifacts });
    expect(await verifyCertificate({ hash, isSigned }, linesOf(loose()))).toEqual({
      ...whole,
      run,
      artifacts: { ...artifacts, compared: 0 },
    });
  });

  it.each(TAMPERINGS)('shows what was altered: %s', async (_, difference, tamper) => {
    const lines = loose();
    tamper(lines);
    const verdict = await verifyCertificate(TRUSTING, linesOf(lines));
    expect(verdict).toMatchObject({ ok: false, firstDifference: difference });
    expect(verdict.signature).not.toBe('valid');
  });

  it('shows a byte of an artifact that was altered', async () => {
    const artifactBytes = async () => Buffer.from('{"text":"c"}');
    const verdict = await verifyCertificate({ ...TRUSTING, artifactBytes }, linesOf(loose()));
    expect(verdict.firstDifference).toEqual({ what: 'artifact', artifactId: art('b'), line: 6 });
  });

  it('shows hashes of artifacts that were altered, where no bytes are at hand: they are signed', async () => {
    const lines = loose();
    set(6, { artifact: { artifactId: art('b'), sha256: ZEROS } })(lines);
    const verdict = await verifyCertificate({ hash, isSigned }, linesOf(lines));
    expect(verdict).toMatchObject({ signature: 'invalid', firstDifference: { what: 'signature', line: 8 } });
  });

  it('shows a cause that is not before its event, though it was signed', async () => {
    for (const cause of ['evt-fork-3', 'evt-source-7'])
      expect(await verifyCertificate(TRUSTING, linesOf(certificate(cause)))).toMatchObject({
        firstDifference: { what: 'cause', sequence: 3, line: 5 },
      });
    expect(await verifyCertificate(TRUSTING, linesOf(certificate('evt-parent-7')))).toMatchObject({
      ok: true,
    });
  });

  it('is not confirmed by a chain that nobody signed', async () => {
    const verdict = await verifyCertificate({ hash }, linesOf(loose()));
    expect(verdict).toMatchObject({ ok: false, events: 4, signature: 'not checked' });
    expect(verdict).not.toHaveProperty('firstDifference');
  });
});
