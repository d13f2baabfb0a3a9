import { connect, createServer, type Server, type Socket } from 'node:net';
import { createPool } from '@palimpsest/adapter-postgres';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { errorEnvelopeSchema } from '@palimpsest/contracts';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type GatewayHarness } from '../testing/gateway-harness.js';

/** A way to the database that can be closed and opened again. */
class Road {
  private readonly travellers = new Set<Socket>();
  private server: Server | undefined;
  port = 0;

  constructor(private readonly to: URL) {}

  async open(): Promise<void> {
    this.server = createServer((near) => {
      const far = connect(Number(this.to.port), this.to.hostname);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.travellers.add(one);
        one.on('error', () => other.destroy()).on('close', () => other.destroy());
        one.pipe(other);
      }
    });
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as { port: number }).port;
  }

  async close(): Promise<void> {
    for (const traveller of this.travellers) traveller.destroy();
    this.travellers.clear();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}

describe('a database that is gone', () => {
  let database: TestDatabase;
  let road: Road;
  let pool: ReturnType<typeof createPool>;
  let gateway: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    const url = new URL(database.url);
    road = new Road(new URL(database.url));
    await road.open();
    url.hostname = '127.0.0.1';
    url.port = String(road.port);
    pool = createPool(url.href, { applicationName: 'spec', connectTimeoutMs: 20_000 });
    gateway = await startGateway(pool);
  });
  afterAll(async () => {
    await gateway.close();
    await pool.end();
    await road.close();
    await database.drop();
  });

  const json = { workflowId: 'palimpsest-external' };
  const create = (headers = {}) => gateway.ask({ method: 'POST', url: '/v1/runs', json, headers });

  it('is a 503 with a time to come back, and recovers without a restart', async () => {
    const keyed = { 'idempotency-key': 'k1' };
    const before = await create(keyed);
    await road.close();
    for (const ask of [create(), create(keyed), gateway.ask({ method: 'GET', url: '/v1/runs' })]) {
      const answer = await ask;
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(errorEnvelopeSchema.parse(answer.body)).toMatchObject({
        error: 'service_unavailable',
        details: { correlationId: answer.headers['x-request-id'] },
      });
    }
    expect(await gateway.ask({ method: 'GET', url: '/healthz', key: null })).toMatchObject({ status: 200 });
    await road.open();
    expect(await create()).toMatchObject({ status: 201 });
    expect(await create(keyed)).toMatchObject({ status: 201, body: before.body });
  });
});
