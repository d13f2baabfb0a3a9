import type { Readable } from 'node:stream';
import { MemoryArtifactStore, MemoryEventLog } from '@palimpsest/adapter-memory';
import { nodeContentHash } from '@palimpsest/adapter-postgres';
import { CERTIFICATE_LINE_BYTES, eventIdOf, type NewRunEvent, type RunHeader } from '@palimpsest/contracts';
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

describe('a certificate of a run whose row says another beginning than its log', () => {
  const at = { tenantId: RUN.tenantId, at: AT, workflowId: 'flow' };
  const origin = { runId: 'first', fromSequence: 1, mode: 'branch' } as const;

  class AlteredLog extends MemoryEventLog {
    override async header(tenantId: string, runId: string): Promise<RunHeader | undefined> {
      const header = await super.header(tenantId, runId);
      return header && runId === 'first' ? { ...header, createdAt: '2025-01-01T00:00:00.000Z' } : header;
    }
  }

  it.each(['first', 'fork'])('is not begun: %s', async (runId) => {
    const log = new AlteredLog();
    const events = [{ type: 'run.started', payload: {}, schemaVersion: 1 }];
    await log.append({ ...at, runId: 'first', expectedHead: 'no-run', events });
    await log.fork({ ...at, runId: 'fork', origin, status: 'running', state: {} });
    const certificates = new Certificates(log, new MemoryArtifactStore(), { now: () => AT }, hostKey);
    const asked = certificates.asked((await log.header(RUN.tenantId, runId)) as RunHeader);
    const details = { runId, sequence: 0, what: 'beginning', reason: 'chain_broken' };
    await expect(certificates.open(asked)).rejects.toMatchObject({ code: 'internal_error', details });
  });
});

describe('a certificate of a log whose causes are not before', () => {
  const PAGE = 500;
  const AT_RUN = { tenantId: RUN.tenantId, at: AT, workflowId: 'flow' };
  const noted = (causationId?: string): NewRunEvent => ({
    type: 'test.noted',
    payload: {},
    schemaVersion: 1,
    ...(causationId !== undefined && { causationId }),
  });
  let log: MemoryEventLog;
  beforeEach(() => {
    log = new MemoryEventLog();
  });

  async function opened(runId: string): Promise<Readable> {
    const certificates = new Certificates(log, new MemoryArtifactStore(), { now: () => AT }, hostKey);
    return certificates.open(certificates.asked((await log.header(RUN.tenantId, runId)) as RunHeader));
  }

  it.each([
    ['itself', PAGE],
    ['an event behind it', PAGE + 1],
  ])('breaks off before its signature: one names %s, behind the first page', async (_, cause) => {
    const run = { ...AT_RUN, runId: 'two-pages' };
    const events = Array.from({ length: PAGE }, () => noted());
    await log.append({ ...run, expectedHead: 'no-run', events });
    await log.append({ ...run, expectedHead: PAGE - 1, events: [noted(eventIdOf(run.runId, cause))] });
    const lines = ndjsonLines(await opened(run.runId), CERTIFICATE_LINE_BYTES);
    const kinds: unknown[] = [];
    const taken = (async () => {
      for await (const line of lines) kinds.push((line as { readonly line: string }).line);
    })();
    const details = { runId: run.runId, sequence: PAGE, what: 'cause', reason: 'chain_broken' };
    await expect(taken).rejects.toMatchObject({ code: 'internal_error', details });
    expect(kinds).not.toContain('end');
  });

  it('is not begun where one is on the first page, nor for a fork that shares it', async () => {
    const run = { ...AT_RUN, runId: 'short' };
    await log.append({ ...run, expectedHead: 'no-run', events: [noted(), noted(eventIdOf('short', 1))] });
    const origin = { runId: 'short', fromSequence: 2, mode: 'branch' } as const;
    await log.fork({ ...AT_RUN, runId: 'fork', origin, status: 'running', state: {} });
    for (const runId of ['short', 'fork'])
      await expect(opened(runId)).rejects.toMatchObject({
        code: 'internal_error',
        details: { runId, sequence: 1, what: 'cause' },
      });
  });

  it('is given where causes stand in the logs of others', async () => {
    const run = { ...AT_RUN, runId: 'child' };
    await log.append({ ...run, expectedHead: 'no-run', events: [noted(eventIdOf('parent', 99))] });
    const lines = ndjsonLines(await opened('child'), CERTIFICATE_LINE_BYTES);
    const isSigned = (): boolean => true;
    expect(await verifyCertificate({ hash: nodeContentHash, isSigned }, lines)).toMatchObject({ ok: true });
  });
});
