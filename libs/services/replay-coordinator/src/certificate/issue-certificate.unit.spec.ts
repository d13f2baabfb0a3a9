import { createHash, createHmac } from 'node:crypto';
import type { Certificate } from '@palimpsest/contracts';
import { firstCertificateDifference, type ChainHash } from '@palimpsest/kernel';
import { CoordinatorHarness, FORK } from '../testing/coordinator-harness.js';
import { SOURCE, TENANT } from '../testing/source-run.js';
import { issueCertificate } from './issue-certificate.js';

const digest = (said: Uint8Array | string) => createHash('sha256').update(said);
const hash: ChainHash = {
  sha256: (bytes) => digest(bytes).digest(),
  sha256Hex: (text) => digest(text).digest('hex'),
};
const keyId = 'a'.repeat(32);
const sign = (said: Uint8Array) => createHmac('sha512', 'key').update(said).digest('hex');
const isSigned = (id: string, said: Uint8Array, signature: string) =>
  id === keyId ? signature === sign(said) : undefined;

describe('the certificate of a run', () => {
  let harness: CoordinatorHarness;
  beforeEach(async () => {
    harness = new CoordinatorHarness();
    const { source } = harness;
    source.start();
    await source.message('user');
    await source.summary();
    await source.window(1, [2]);
    await source.message('assistant');
    await source.finish().write();
  });

  async function issued(runId: string): Promise<Certificate> {
    const { eventLog, artifacts } = harness;
    const ports = { eventLog, artifacts, hash, hostKey: { keyId, sign } };
    const certificate = await issueCertificate(ports, { tenantId: TENANT, runId });
    return JSON.parse(JSON.stringify(certificate)) as Certificate;
  }

  it('is confirmed offline, for a run, its branch, its replay and a fork of that', async () => {
    const { fork } = harness.coordinator();
    await fork({ mode: 'branch', fromSeq: 3 });
    await fork({ mode: 'replay', forkRunId: 'replay', fromSeq: 0 });
    await fork({ mode: 'replay', forkRunId: 'again', runId: 'replay', fromSeq: 2 });
    for (const [runId, events, ancestors] of [
      [SOURCE, 6, []],
      [FORK, 3, [SOURCE]],
      ['replay', 6, []],
      ['again', 6, ['replay']],
    ] as const) {
      const certificate = await issued(runId);
      expect(await firstCertificateDifference({ hash, isSigned }, certificate)).toBeUndefined();
      expect(certificate.events).toHaveLength(events);
      expect(certificate.ancestors.map((run) => run.runId)).toEqual(ancestors);
      expect(certificate.artifacts.every(({ sha256 }) => sha256 !== null)).toBe(true);
    }
  });

  it('holds no content, and says what was erased', async () => {
    const { artifacts } = await issued(SOURCE);
    const erased = artifacts[0]?.artifactId ?? '';
    await harness.artifacts.erase(TENANT, erased);
    const certificate = await issued(SOURCE);
    expect(certificate.artifacts[0]).toEqual({ artifactId: erased, sha256: null });
    expect(await firstCertificateDifference({ hash, isSigned }, certificate)).toBeUndefined();
    expect(JSON.stringify(certificate)).not.toContain('context.summary 2');
  });

  it('is not given for a run that is not there', async () => {
    await expect(issued('absent')).rejects.toMatchObject({ code: 'not_found' });
  });
});
