import { get, type IncomingMessage } from 'node:http';
import { createGunzip, gunzipSync } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { ServiceUnavailableError } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type GatewayHarness } from '../testing/gateway-harness.js';

const LARGE = '/v1/openapi.json';
const SMALL = '/healthz';

describe('compressed answers', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, {
      pollMs: 20,
      ports: { fixtureIds: async () => Array.from({ length: 100 }, (_, index) => `flow-${index}`) },
    });
    await gateway.app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  async function ask(url: string, headers: InjectOptions['headers'] = {}, method: 'GET' | 'HEAD' = 'GET') {
    const authorization = `Bearer ${gateway.key}`;
    const server = gateway.app.getHttpAdapter().getInstance();
    return server.inject({ method, url, headers: { authorization, ...headers } });
  }

  const turns = async (runId: string, texts: readonly string[]): Promise<void> => {
    const json = { messages: texts.map((content) => ({ role: 'user', content })) };
    const { status } = await gateway.ask({ method: 'POST', url: `/v1/runs/${runId}/turns`, json });
    expect(status).toBe(201);
  };

  it.each(['gzip', 'br, gzip;q=0.5', '*', 'x-gzip'])('have the bytes of plain ones: %s', async (accepted) => {
    const plain = await ask(LARGE);
    const zipped = await ask(LARGE, { 'accept-encoding': accepted });
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(zipped.headers['content-length']).toBe(String(zipped.rawPayload.length));
    expect(zipped.rawPayload.length).toBeLessThan(plain.rawPayload.length);
    expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload)).toBe(true);
  });

  it.each(['gzip;q=0', 'gzip;q=0, *', 'br', 'identity', ''])('are not sent for %p', async (accepted) => {
    const answer = await ask(LARGE, { 'accept-encoding': accepted });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.headers['vary']).toBe('Accept-Encoding');
    expect(answer.json()).toMatchObject({ openapi: '3.1.0' });
  });

  it('are not small ones, which say all the same what they vary by', async () => {
    const answer = await ask(SMALL, { 'accept-encoding': 'gzip' });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect([answer.headers['vary'], answer.json()]).toEqual(['Accept-Encoding', { status: 'ok' }]);
  });

  it('answer HEAD with the headers of GET', async () => {
    for (const url of [LARGE, SMALL, '/.well-known/openwop']) {
      const headers = { 'accept-encoding': 'gzip' };
      const [full, head] = [await ask(url, headers), await ask(url, headers, 'HEAD')];
      for (const name of ['content-encoding', 'content-length', 'etag', 'vary', 'content-type']) {
        expect([url, name, head.headers[name]]).toEqual([url, name, full.headers[name]]);
      }
      expect(head.rawPayload).toHaveLength(0);
    }
  });

  it('have tags of their own, and either confirms what the client holds', async () => {
    const url = '/.well-known/openwop';
    const plain = await ask(url);
    const zipped = await ask(url, { 'accept-encoding': 'gzip' });
    const [plainTag, zippedTag] = [String(plain.headers['etag']), String(zipped.headers['etag'])];
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(zippedTag).not.toBe(plainTag);
    for (const accepted of ['gzip', 'identity']) {
      for (const held of [plainTag, zippedTag]) {
        const answer = await ask(url, { 'accept-encoding': accepted, 'if-none-match': held });
        expect([answer.statusCode, answer.body, answer.headers['etag']]).toEqual([304, '', held]);
        expect(answer.headers).not.toHaveProperty('content-encoding');
        expect(answer.headers['vary']).toBe('Accept-Encoding');
      }
    }
  });

  it('are event lists too, which are sent as they are read', async () => {
    const runId = await gateway.newRun();
    await turns(runId, Array<string>(300).fill('again'));
    const url = `/v1/runs/${runId}/events`;
    const plain = await ask(url);
    const zipped = await ask(url, { 'accept-encoding': 'gzip' });
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept, Accept-Encoding' });
    expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(plain.headers['vary']).toBe('Accept, Accept-Encoding');
  });

  it('are event streams too, frame by frame', async () => {
    const runId = await gateway.newRun();
    const { response, text, leave } = await follow(`/v1/runs/${runId}/events?streamMode=debug`);
    expect(response.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': expect.stringContaining('text/event-stream'),
      vary: expect.stringContaining('Accept-Encoding'),
    });
    await waitUntil(() => text().includes('run.started'), { what: 'the first event' });
    for (const [index, content] of ['one', 'two'].entries()) {
      await turns(runId, [content]);
      await waitUntil(() => text().split('event: palimpsest.message.appended').length > index + 1, {
        what: `event ${index + 1} while the stream is open`,
      });
      expect(response.complete).toBe(false);
    }
    leave();
  });

  it('end with the run, whole', async () => {
    const runId = await gateway.newRun();
    const { response, text } = await follow(`/v1/runs/${runId}/events`);
    await gateway.ask({ method: 'POST', url: `/v1/runs/${runId}/finish` });
    await waitUntil(() => response.complete, { what: 'the end of the stream' });
    await waitUntil(() => text().includes('run.completed'), { what: 'the terminal event' });
  });

  it('give way to an error before their first byte', async () => {
    const runId = await gateway.newRun();
    const readRun = jest
      .spyOn(gateway.ports.eventLog, 'readRun')
      .mockRejectedValue(new ServiceUnavailableError('The log'));
    const answer = await ask(`/v1/runs/${runId}/events`, { 'accept-encoding': 'gzip' });
    readRun.mockRestore();
    expect(answer.statusCode).toBe(503);
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.json()).toMatchObject({ error: 'service_unavailable' });
  });

  async function follow(path: string) {
    const headers = {
      authorization: `Bearer ${gateway.key}`,
      accept: 'text/event-stream',
      'accept-encoding': 'gzip',
    };
    const url = `${await gateway.app.getUrl()}${path}`;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { headers }, resolve).on('error', reject);
    });
    let received = '';
    const plain = response.on('error', () => undefined).pipe(createGunzip());
    plain.on('error', () => undefined).on('data', (chunk: Buffer) => (received += chunk.toString()));
    return { response, text: () => received, leave: () => response.destroy() };
  }
});
