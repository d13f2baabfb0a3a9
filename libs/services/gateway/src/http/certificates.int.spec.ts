import { generateKeyPairSync, sign, verify, createHash, type KeyObject } from 'node:crypto';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import {
  artifactStoreMigrations,
  nodeContentHash,
  PostgresArtifactStore,
  PostgresEventLog,
  runLogMigrations,
} from '@palimpsest/adapter-postgres';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import type { CertificateLine, ForkOrigin, NewRunEvent } from '@palimpsest/contracts';
import { ServiceUnavailableError, verifyCertificate, type CertificateVerdict } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import type { HostKey } from '../ports.js';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type Answer, type GatewayHarness } from '../testing/gateway-harness.js';

const TENANT = 'acme';
const NOW = new Date('2026-02-03T04:05:06.789Z');

function newKey(): HostKey & {
  readonly isSigned: (id: string, said: Uint8Array, signature: string) => boolean | undefined;
} {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const keyId = idOf(publicKey);
  return {
    keyId,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (said) => sign(null, said, privateKey).toString('hex'),
    isSigned: (id, said, signature) =>
      id === keyId ? verify(null, said, publicKey, Buffer.from(signature, 'hex')) : undefined,
  };
}

function idOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 32);
}

/** Counts pages, can fail at one, and can wait at one. */
class WatchedLog extends PostgresEventLog {
  reads = 0;
  failsAt = Infinity;
  gate = { at: Infinity, released: Promise.resolve() };
  release: () => void = () => undefined;

  override async readRun(request: Parameters<PostgresEventLog['readRun']>[0]) {
    this.reads += 1;
    if (this.reads >= this.failsAt) throw new ServiceUnavailableError('The run log');
    if (this.reads === this.gate.at) await this.gate.released;
    return super.readRun(request);
  }
}

describe('certificates', () => {
  const hostKey = newKey();
  let database: TestDatabase;
  let log: WatchedLog;
  let artifacts: PostgresArtifactStore;
  let gateway: GatewayHarness;
  let runs = 0;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations, runLogMigrations, artifactStoreMigrations]);
    log = new WatchedLog(database.pool);
    artifacts = new PostgresArtifactStore(database.pool);
    gateway = await startGateway(database.pool, {
      ports: { eventLog: log, artifacts, hostKey, clock: { now: () => NOW } },
    });
    await gateway.app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });
  beforeEach(() => {
    log.reads = 0;
    log.failsAt = Infinity;
    log.gate = { at: Infinity, released: Promise.resolve() };
  });

  async function said(runId: string, ...texts: readonly string[]): Promise<NewRunEvent[]> {
    const contents = texts.map((text) => ({ type: 'message' as const, content: { text } }));
    const ids = await artifacts.put(TENANT, runId, contents);
    return ids.map((artifactId) => ({
      type: 'palimpsest.message.appended',
      payload: { role: 'user', artifactId, toolCallIds: [] },
      schemaVersion: 1,
      counts: { o200k_base: 1, cl100k_base: 1, chars: 1 },
    }));
  }

  async function startRun(...texts: readonly string[]): Promise<string> {
    const runId = `r${(runs += 1)}`;
    const started = { type: 'run.started', payload: { workflowId: 'flow' }, schemaVersion: 1 };
    await append(runId, 'no-run', [started, ...(await said(runId, ...texts))]);
    return runId;
  }

  async function append(runId: string, head: number | 'no-run', events: readonly NewRunEvent[]) {
    const at = new Date('2026-01-01T00:00:00.000Z');
    await log.append({ tenantId: TENANT, runId, expectedHead: head, workflowId: 'flow', at, events });
  }

  async function forkOf(source: string, fromSequence: number, ...texts: readonly string[]): Promise<string> {
    const runId = `r${(runs += 1)}`;
    const origin: ForkOrigin = { runId: source, fromSequence, mode: 'branch' };
    const at = new Date('2026-01-02T00:00:00.000Z');
    await log.fork({ tenantId: TENANT, runId, origin, at, status: 'running', state: {} });
    if (texts.length > 0) await append(runId, fromSequence - 1, await said(runId, ...texts));
    return runId;
  }

  const ask = (runId: string, more: object = {}): Promise<Answer> =>
    gateway.ask({ url: `/v1/runs/${runId}/certificate`, ...more });
  const server = (): Server => gateway.app.getHttpServer();
  const address = () => server().address() as AddressInfo;
  const connections = (): Promise<number> =>
    new Promise((resolve, reject) =>
      server().getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  const linesIn = (text: string): CertificateLine[] =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as CertificateLine);

  async function checked(lines: readonly unknown[], key = hostKey): Promise<CertificateVerdict> {
    async function* each() {
      yield* lines;
    }
    return verifyCertificate({ hash: nodeContentHash, isSigned: key.isSigned }, each());
  }

  it('are lines that anybody with the public key can check', async () => {
    const runId = await startRun('a secret of mine', 'another');
    const answer = await ask(runId);
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
    });
    const lines = linesIn(answer.text);
    expect(lines.map(({ line }) => line)).toEqual([
      'run',
      'event',
      'event',
      'event',
      'artifact',
      'artifact',
      'end',
    ]);
    expect(await checked(lines)).toMatchObject({
      ok: true,
      run: { tenantId: TENANT, runId, ancestors: [] },
      events: 3,
      artifacts: { listed: 2, erased: 0 },
      issuedAt: NOW.toISOString(),
      keyId: hostKey.keyId,
    });
    expect(answer.text).not.toContain('secret');
    expect(await checked(lines, newKey())).toMatchObject({ ok: false, firstDifference: { what: 'key' } });
    expect(await ask(runId, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  });

  it('are not confirmed where another key signed under the name of the host’s', async () => {
    const lines = linesIn((await ask(await startRun('a'))).text);
    const forger = newKey();
    const end = lines.at(-1) as Extract<CertificateLine, { line: 'end' }>;
    const value = forger.sign(Buffer.from('anything'));
    const forged = [...lines.slice(0, -1), { ...end, signature: { ...end.signature, value } }];
    expect(await checked(forged)).toMatchObject({ ok: false, signature: 'invalid' });
  });

  it('of a fork of a fork hold what it shares, as it was written', async () => {
    const source = await startRun('a', 'b', 'c');
    const fork = await forkOf(source, 3, 'd', 'e');
    const again = await forkOf(fork, 4, 'f');
    const empty = await forkOf(again, 2);
    for (const [runId, events, ancestors, listed] of [
      [fork, 5, [source], 4],
      [again, 5, [fork, source], 4],
      [empty, 2, [again, fork, source], 1],
    ] as const) {
      const lines = linesIn((await ask(runId)).text);
      expect(await checked(lines)).toMatchObject({
        ok: true,
        run: { runId, ancestors },
        events,
        artifacts: { listed },
      });
      const shared = lines.filter((line) => line.line === 'event').slice(0, 2);
      expect(shared.map(({ writtenIn }) => writtenIn)).toEqual([source, source]);
    }
  });

  it('say what was erased, and one given before goes on to name its hash', async () => {
    const runId = await startRun('to be erased', 'to stay');
    const before = linesIn((await ask(runId)).text);
    const erased = before.find((line) => line.line === 'artifact');
    await artifacts.erase(TENANT, erased?.artifact.artifactId ?? '');
    const after = linesIn((await ask(runId)).text);
    expect(after.find((line) => line.line === 'artifact')?.artifact).toHaveProperty('absent', 'erased');
    for (const [lines, number] of [
      [before, 0],
      [after, 1],
    ] as const)
      expect(await checked(lines)).toMatchObject({ ok: true, artifacts: { listed: 2, erased: number } });
  });

  it('say what is damaged or missing', async () => {
    const runId = await startRun('damaged', 'missing', 'whole');
    const ids = linesIn((await ask(runId)).text).flatMap((line) =>
      line.line === 'artifact' ? line.artifact.artifactId : [],
    );
    await database.pool.query(
      "UPDATE artifact_store.artifacts SET content = content || ' ' WHERE artifact_id = $1",
      [ids[0]],
    );
    await database.pool.query('DELETE FROM artifact_store.artifacts WHERE artifact_id = $1', [ids[1]]);
    expect(await checked(linesIn((await ask(runId)).text))).toMatchObject({
      ok: true,
      artifacts: { listed: 3, erased: 0, missing: 1, damaged: 1 },
    });
  });

  it('tell a head that was set back, by what was given before', async () => {
    const runId = await startRun('a', 'b');
    const before = linesIn((await ask(runId)).text);
    await database.pool.query(`BEGIN; SET LOCAL session_replication_role = replica;
      DELETE FROM run_log.events WHERE run_id = '${runId}' AND sequence = 2;
      UPDATE run_log.runs SET head = 1,
        link = (SELECT link FROM run_log.events WHERE run_id = '${runId}' AND sequence = 1) WHERE run_id = '${runId}';
      COMMIT`);
    const after = linesIn((await ask(runId)).text);
    expect([await checked(before), await checked(after)]).toMatchObject([
      { ok: true, events: 3 },
      { ok: true, events: 2 },
    ]);
  });

  it('are not given of a log that was altered', async () => {
    const runId = await startRun('a', 'b');
    const fork = await forkOf(runId, 3, 'c');
    await database.pool.query(`BEGIN; SET LOCAL session_replication_role = replica;
      UPDATE run_log.events SET payload = '{}' WHERE run_id = '${runId}' AND sequence = 1; COMMIT`);
    for (const altered of [runId, fork])
      expect(await ask(altered)).toMatchObject({
        status: 500,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: {
          error: 'internal_error',
          details: { reason: 'chain_broken', sequence: 1, what: 'content', runId: altered },
        },
      });
  });

  it('end without their end where the log fails behind the first page', async () => {
    const runId = await startRun();
    await append(
      runId,
      0,
      Array.from({ length: 600 }, () => noted),
    );
    log.failsAt = 1;
    expect(await ask(runId)).toMatchObject({ status: 503, body: { error: 'service_unavailable' } });
    log.reads = 0;
    log.failsAt = 2;
    const { port } = address();
    const response = await fetch(`http://127.0.0.1:${port}/v1/runs/${runId}/certificate`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  const noted = { type: 'test.noted', payload: { note: 'n'.repeat(1000) }, schemaVersion: 1 };

  it('are read no further once nobody takes them', async () => {
    const runId = await startRun();
    for (let head = 0; head < 3000; head += 500)
      await append(
        runId,
        head,
        Array.from({ length: 500 }, () => noted),
      );
    log.reads = 0;
    const released = new Promise<void>((release) => (log.release = release));
    log.gate = { at: 3, released };
    const { port } = address();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `GET /v1/runs/${runId}/certificate HTTP/1.1\r\nHost: spec\r\nAuthorization: Bearer ${gateway.key}\r\n\r\n`,
    );
    socket.resume();
    await waitUntil(() => log.reads === 3);
    const before = await connections();
    socket.destroy();
    await waitUntil(async () => (await connections()) < before);
    log.release();
    // A whole one of a shorter run: by then the first would have gone on.
    expect(await checked(linesIn((await ask(await startRun('a'))).text))).toMatchObject({ ok: true });
    expect(log.reads).toBe(4);
  });

  it('are refused where there is none to be had', async () => {
    const runId = await startRun('a');
    const old = await startRun('a');
    await database.pool.query(`BEGIN; SET LOCAL session_replication_role = replica;
      UPDATE run_log.events SET link = NULL WHERE run_id = '${old}';
      UPDATE run_log.runs SET link = NULL WHERE run_id = '${old}'; COMMIT`);
    const details = { capability: 'certificates' };
    expect(await ask(old)).toMatchObject({ status: 422, body: { error: 'capability_required', details } });
    expect(await ask('nobody')).toMatchObject({ status: 404, body: { error: 'not_found' } });
    const other = await gateway.newKey('other');
    expect(await ask(runId, { key: other })).toMatchObject({ status: 404 });
    for (const [scopes, lacking] of [
      [['runs:read'], 'artifacts:read'],
      [['artifacts:read'], 'runs:read'],
    ] as const) {
      const key = await gateway.newKey(TENANT, scopes);
      expect(await ask(runId, { key })).toMatchObject({
        status: 403,
        body: { details: { scopeRequired: lacking } },
      });
    }
  });

  it('need a key of the host, whose public half everybody may read', async () => {
    const { keyId, publicKey } = hostKey;
    expect(await gateway.ask({ url: '/v1/host/keys', key: null })).toMatchObject({
      status: 200,
      body: { keys: [{ keyId, algorithm: 'Ed25519', publicKey }] },
    });
    const keyless = await startGateway(database.pool, { ports: { eventLog: log, artifacts } });
    const runId = await startRun('a');
    expect(await keyless.ask({ url: `/v1/runs/${runId}/certificate` })).toMatchObject({
      status: 422,
      body: { error: 'capability_required', details: { capability: 'certificates' } },
    });
    expect(await keyless.ask({ url: '/v1/host/keys', key: null })).toMatchObject({ body: { keys: [] } });
    await keyless.close();
  });
});
