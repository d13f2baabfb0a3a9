// Host specification §3.3 (RFC 0115): conditional reads of a run, and its encodings.
import * as zlib from 'node:zlib';
import type { Answer, Host } from '../client/host.js';
import { rawGet } from '../client/raw-get.js';
import { pathOf, resume, runToEnd, suspendedRun, waitForStatus } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const ENCODINGS = ['gzip', 'br', 'zstd'];

export const scenario: Scenario = {
  name: 'run-transport-economy',
  needs(discovery, host) {
    const { conditionalRunGet, contentEncodings } = discovery['restTransport'] ?? {};
    if (conditionalRunGet !== true) return 'discovery has no restTransport.conditionalRunGet';
    if (!Array.isArray(contentEncodings) || contentEncodings.length === 0) {
      return 'discovery names no restTransport.contentEncodings';
    }
    return fixtures('conformance-approval', 'conformance-noop')(discovery, host);
  },
  tests(host) {
    it('answers 304 until the run moves on, and a new ETag then', async () => {
      const { runId } = await suspendedRun(host, 'conformance-approval', 'waiting-approval');
      const waiting = strongEtag(await host.get(pathOf(runId)));
      await expectNotModified(host, runId, waiting);
      expect((await resume(host, runId, 'gate', { action: 'accept' })).status).toBe(200);
      await waitForStatus(host, runId, 'completed');
      const moved = await host.get(pathOf(runId), { headers: { 'if-none-match': waiting } });
      expect(moved.status).toBe(200);
      const completed = strongEtag(moved);
      expect(completed).not.toBe(waiting);
      await expectNotModified(host, runId, completed);
    });

    it('encodes a snapshot as asked, and changes no byte of it', async () => {
      const { contentEncodings } = (await host.discovery())['restTransport'];
      const { runId } = await runToEnd(host, 'conformance-noop');
      const plain = await rawGet(host, pathOf(runId), 'identity');
      expect([plain.status, plain.headers['content-encoding'] ?? 'identity']).toEqual([200, 'identity']);
      expect(plain.bytes.length).toBeGreaterThan(0);
      for (const encoding of contentEncodings as readonly string[]) {
        expect(ENCODINGS).toContain(encoding);
        const encoded = await rawGet(host, pathOf(runId), encoding);
        expect([encoded.status, encoded.headers['content-encoding']]).toEqual([200, encoding]);
        expect(encoded.headers.vary?.toLowerCase()).toContain('accept-encoding');
        const decoded = decode(encoding, encoded.bytes);
        expect(decoded?.toString('hex') ?? 'unreadable here').toBe(
          decoded ? plain.bytes.toString('hex') : 'unreadable here',
        );
      }
    });
  },
};

function strongEtag({ status, headers }: Answer): string {
  expect(status).toBe(200);
  const etag = headers.get('etag');
  expect(etag).toMatch(/^"[^"]+"$/);
  return String(etag);
}

async function expectNotModified(host: Host, runId: string, etag: string): Promise<void> {
  const answer = await host.get(pathOf(runId), { headers: { 'if-none-match': etag } });
  expect([answer.status, answer.text]).toEqual([304, '']);
}

/** Undefined for zstd on a Node that cannot read it. */
function decode(encoding: string, bytes: Buffer): Buffer | undefined {
  if (encoding === 'gzip') return zlib.gunzipSync(bytes);
  if (encoding === 'br') return zlib.brotliDecompressSync(bytes);
  const newer: object = zlib;
  return (newer as { zstdDecompressSync?: (bytes: Buffer) => Buffer }).zstdDecompressSync?.(bytes);
}
