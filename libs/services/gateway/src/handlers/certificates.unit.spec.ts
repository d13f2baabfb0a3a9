import { MemoryArtifactStore, MemoryEventLog } from '@palimpsest/adapter-memory';
import { nodeContentHash } from '@palimpsest/adapter-postgres';
import { CERTIFICATE_LINE_BYTES, type RunHeader } from '@palimpsest/contracts';
import { ndjsonLines, verifyCertificate } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { Certificates } from './certificates.js';

const AT = new Date('2026-01-01T00:00:00.000Z');
const RUN = { tenantId: 'acme', runId: 'long' };
const EVENTS = 10_000;
const hostKey = { keyId: 'a'.repeat(32), publicKey: '', sign: () => 'b'.repeat(128) };

class CountedLog extends MemoryEventLog {
  reads = 0;

  override readRun(request: Parameters<MemoryEventLog['readRun']>[0]) {
    this.reads += 1;
    return super.readRun(request);
  }
}

describe('the stream of a certificate', () => {
  let log: CountedLog;
  let header: RunHeader;
  let certificates: Certificates;
  beforeEach(async () => {
    log = new CountedLog();
    const noted = { type: 'test.noted', payload: { note: 'n'.repeat(200) }, schemaVersion: 1 };
    for (let head = 0; head < EVENTS; head += 500) {
      const events = Array.from({ length: 500 }, () => noted);
      const expectedHead = head === 0 ? 'no-run' : head - 1;
      await log.append({ ...RUN, expectedHead, workflowId: 'flow', at: AT, events });
    }
    header = (await log.header(RUN.tenantId, RUN.runId)) as RunHeader;
    certificates = new Certificates(log, new MemoryArtifactStore(), { now: () => AT }, hostKey);
  });

  it('is made as it is taken, and no further', async () => {
    const stream = await certificates.open(certificates.asked(header));
    expect(log.reads).toBe(1);
    stream.read(0);
    await waitUntil(() => stream.readableLength > 0);
    const taken = log.reads;
    expect(taken).toBeLessThanOrEqual(2);
    const closed = new Promise((resolve) => stream.once('close', resolve));
    stream.destroy();
    await closed;
    expect(log.reads).toBe(taken);
  });

  it('holds the run up to the head of the request', async () => {
    const asked = certificates.asked(header);
    const events = [{ type: 'test.late', payload: {}, schemaVersion: 1 }];
    await log.append({ ...RUN, expectedHead: EVENTS - 1, at: AT, events });
    const lines = ndjsonLines(await certificates.open(asked), CERTIFICATE_LINE_BYTES);
    const isSigned = (): boolean => true;
    expect(await verifyCertificate({ hash: nodeContentHash, isSigned }, lines)).toMatchObject({
      ok: true,
      events: EVENTS,
    });
    expect(log.reads).toBe(EVENTS / 500);
  });
});
