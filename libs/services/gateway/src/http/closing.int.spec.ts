import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { drainRequests } from '../create-gateway-app.js';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type GatewayHarness } from '../testing/gateway-harness.js';

describe('a gateway that closes', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  let url: string;
  /** Keeps its connections for the next request, as clients do. */
  let agent: Agent;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    gateway = await startGateway(database.pool);
    await gateway.app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(gateway.app.getHttpServer().address() as AddressInfo).port}`;
    agent = new Agent({ keepAlive: true });
  });
  afterEach(async () => {
    agent.destroy();
    await gateway.close();
  });

  const ask = (method: string, path: string, headers: object = {}) =>
    request(`${url}${path}`, {
      method,
      agent,
      headers: { authorization: `Bearer ${gateway.key}`, ...headers },
    });

  it('ends its event streams, and does not wait for their connections to be reused', async () => {
    const runId = await gateway.newRun();
    const streaming = ask('GET', `/v1/runs/${runId}/events`, { accept: 'text/event-stream' });
    let drained: Promise<void> | undefined;
    const ended = new Promise((resolve, reject) => {
      streaming.once('error', reject);
      streaming.once('response', (response) => {
        response.once('data', () => {
          drained = drainRequests(gateway.app);
        });
        response.once('end', resolve);
      });
    });
    streaming.end();
    await ended;
    await drained;
  });

  it('answers the request it has, and takes no other', async () => {
    const body = '{"workflowId":"palimpsest-external"}';
    const asking = ask('POST', '/v1/runs', {
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    });
    const status = new Promise<number | undefined>((resolve, reject) => {
      asking.once('error', reject);
      asking.once('response', (response) => resolve(response.resume().statusCode));
    });
    await new Promise<void>((resolve) => {
      asking.once('continue', () => resolve());
      asking.flushHeaders();
    });
    const drained = drainRequests(gateway.app);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
    asking.end(body);
    expect(await status).toBe(201);
    await drained;
  });
});
