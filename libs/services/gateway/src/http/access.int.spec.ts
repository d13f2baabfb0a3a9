import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { errorEnvelopeSchema } from '@palimpsest/contracts';
import { keyFrom } from '../domain/api-key.js';
import { revokeApiKey } from '../handlers/api-keys.js';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type Ask, type GatewayHarness } from '../testing/gateway-harness.js';
import { OPERATIONS, type Operation } from './operations.js';

const operations = Object.entries<Operation>(OPERATIONS).map(([name, operation]) => ({ name, ...operation }));
const secured = operations.filter(({ scopes }) => scopes !== undefined);

describe('access', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  let runId: string;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool);
    runId = await gateway.newRun();
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  const urlOf = ({ path }: Operation, run = runId): string =>
    path
      .replace('{runId}', run)
      .replace('{iteration}', '1')
      .replace('{artifactId}', `art_${'a'.repeat(22)}`);

  async function refused(ask: Ask, status: number, error: string) {
    const answer = await gateway.ask(ask);
    expect([ask.url, answer.status, answer.body['error']]).toEqual([ask.url, status, error]);
    errorEnvelopeSchema.parse(answer.body);
    expect(answer.headers['x-request-id']).toEqual(expect.any(String));
    return answer;
  }

  it.each(secured)('asks for a key before it looks for anything: $name', async (operation) => {
    const { method } = operation;
    for (const run of [runId, 'run_nowhere']) {
      const url = urlOf(operation, run);
      const answer = await refused({ method, url, key: null }, 401, 'unauthenticated');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      await refused({ method, url, key: keyFrom(new Uint8Array(44)) }, 401, 'unauthenticated');
      await refused({ method, url, key: 'secret' }, 401, 'unauthenticated');
    }
  });

  it.each(secured)('asks for the scopes of $name', async (operation) => {
    const { method, scopes = [] } = operation;
    const key = await gateway.newKey('acme', ['audit:read', 'packs:yank']);
    const answer = await refused({ method, url: urlOf(operation), key }, 403, 'forbidden');
    expect(answer.body['details']).toEqual({ scopeRequired: scopes[0] });
  });

  it.each(secured.filter(({ path }) => path.includes('{runId}')))(
    'answers another tenant’s run like one that is not there: $name',
    async (operation) => {
      const key = await gateway.newKey('rival');
      const json = operation.method === 'POST' ? { messages: [{ role: 'user', content: 'x' }] } : undefined;
      const foreign = await refused(
        { method: operation.method, url: urlOf(operation), key, json },
        404,
        'not_found',
      );
      const absent = await gateway.ask({
        method: operation.method,
        url: urlOf(operation, 'run_nowhere'),
        key,
        json,
      });
      expect(absent.body).toEqual(foreign.body);
    },
  );

  it.each([
    '/v1',
    '/v1/',
    '/v1/nowhere',
    '/v1/workflows/x',
    '/v1/host/sample/x',
    '/v1/runs/x:explode',
    '/v1/interrupts',
  ])('asks for a key under the version, also where nothing is: %s', (url) =>
    refused({ method: 'GET', url, key: null }, 401, 'unauthenticated'),
  );

  it('lists the runs of the key’s tenant only', async () => {
    const key = await gateway.newKey('rival');
    expect((await gateway.ask({ method: 'GET', url: '/v1/runs', key })).body).toEqual({ runs: [] });
  });

  it('opens nothing with a revoked key', async () => {
    const key = await gateway.newKey('acme');
    expect(await gateway.ask({ method: 'GET', url: '/v1/runs', key })).toMatchObject({ status: 200 });
    const keyId = key.split('_')[1] ?? '';
    expect(await revokeApiKey(gateway.ports.database, { tenantId: 'rival', keyId })).toBe(false);
    expect(await revokeApiKey(gateway.ports.database, { tenantId: 'acme', keyId })).toBe(true);
    await refused({ method: 'GET', url: '/v1/runs', key }, 401, 'key_revoked');
  });

  it('keeps no key in its tables', async () => {
    const { rows } = await database.pool.query('SELECT * FROM gateway.api_keys');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(gateway.key.split('_').slice(2).join('_'));
  });

  it.each(operations)(
    'answers other methods at the path of $name with those it serves',
    async (operation) => {
      const answer = await refused({ method: 'PUT', url: urlOf(operation) }, 405, 'method_not_allowed');
      expect(answer.headers['allow']).toContain(operation.method);
    },
  );

  it.each([
    '/',
    '/nowhere',
    '/v1',
    '/v2/runs',
    '/v1/nowhere',
    '/v1/runs/x/nowhere',
    '/v1/runs/x:explode',
    '/v1/runs/',
  ])('knows no %s', (url) => refused({ method: 'GET', url }, 404, 'not_found'));

  it.each([
    '/runs',
    '/runs/x',
    '/runs:bulk-cancel',
    '/interrupts/x',
    '/workflows/x',
    '/webhooks',
    '/host/sample/x',
    '/openapi.json',
  ])('asks for the version of %s', (url) =>
    refused({ method: 'GET', url, key: null }, 400, 'validation_error'),
  );

  it('answers HEAD where it answers GET', async () => {
    for (const url of ['/healthz', `/v1/runs/${runId}`, `/v1/runs/${runId}/events`]) {
      const answer = await gateway.ask({ method: 'HEAD', url, headers: { accept: 'text/event-stream' } });
      expect([url, answer.status, answer.text]).toEqual([url, 200, '']);
    }
  });

  it('takes a tenantId that is the key’s, and no other', async () => {
    const json = { workflowId: 'palimpsest-external', tenantId: 'acme' };
    expect(await gateway.ask({ method: 'POST', url: '/v1/runs', json })).toMatchObject({ status: 201 });
    await refused(
      { method: 'POST', url: '/v1/runs', json: { ...json, tenantId: 'rival' } },
      403,
      'forbidden',
    );
  });
});
