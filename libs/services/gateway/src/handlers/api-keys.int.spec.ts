import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { errorEnvelopeSchema } from '@palimpsest/contracts';
import { keyFrom, keyIdOf, TEST_KEY_PREFIX } from '../domain/api-key.js';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type GatewayHarness } from '../testing/gateway-harness.js';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.js';
import { authenticate } from './authenticate.js';

describe('API keys', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool);
  });
  afterAll(async () => {
    await gateway.close();
    await database.drop();
  });

  const db = () => gateway.ports.database;
  const make = (tenantId: string, more = {}) => createApiKey(db(), { tenantId, name: 'spec', ...more });

  /** Status and code of a request with the key. */
  async function opens(key: string): Promise<[number, unknown]> {
    const { status, body } = await gateway.ask({ method: 'GET', url: '/v1/runs', key });
    if (status >= 400) errorEnvelopeSchema.parse(body);
    return [status, body['error']];
  }

  /** The database's clock cannot be turned: the end of the key is. */
  const endNow = (keyId: string) =>
    database.pool.query('UPDATE gateway.api_keys SET expires_at = now() WHERE key_id = $1', [keyId]);

  const withOtherSecret = (key: string): string =>
    `${key.slice(0, -43)}${key.slice(-43) === 'A'.repeat(43) ? 'B'.repeat(43) : 'A'.repeat(43)}`;

  it('open until they expire', async () => {
    const { key, keyId } = await make('lasting', { lifetimeSeconds: 3600 });
    expect(await opens(key)).toEqual([200, undefined]);
    await endNow(keyId);
    expect(await opens(key)).toEqual([401, 'key_expired']);
  });

  it('open until they are revoked, and were revoked rather than expired', async () => {
    const { key, keyId } = await make('lasting', { lifetimeSeconds: 3600 });
    expect(await revokeApiKey(db(), { keyId })).toBe(true);
    expect(await revokeApiKey(db(), { keyId })).toBe(true);
    expect(await revokeApiKey(db(), { keyId: 'NoSuchKeyId1' })).toBe(false);
    expect(await opens(key)).toEqual([401, 'key_revoked']);
    await endNow(keyId);
    expect(await opens(key)).toEqual([401, 'key_revoked']);
  });

  it('say nothing of their end to whoever does not have the secret', async () => {
    const expired = await make('lasting');
    const revoked = await make('lasting');
    await endNow(expired.keyId);
    await revokeApiKey(db(), { keyId: revoked.keyId });
    const unknown = keyFrom(Uint8Array.from({ length: 44 }, (_, index) => index));
    for (const key of [withOtherSecret(expired.key), withOtherSecret(revoked.key), unknown]) {
      expect(await opens(key)).toEqual([401, 'unauthenticated']);
    }
  });

  it('are live or for tests, and a tenant with them', async () => {
    const test = await make('trials', { kind: 'test' });
    expect(test.key.startsWith(TEST_KEY_PREFIX)).toBe(true);
    expect(await authenticate(db(), test.key)).toMatchObject({ tenantId: 'trials', testKey: true });
    expect(await authenticate(db(), gateway.key)).toMatchObject({ tenantId: 'acme', testKey: false });
    await expect(make('trials', { kind: 'live' })).rejects.toMatchObject({ code: 'validation_error' });
    await expect(make('acme', { kind: 'test' })).rejects.toMatchObject({ code: 'validation_error' });
    const tenants = await database.pool.query(
      "SELECT tenant_id, kind FROM gateway.tenants WHERE tenant_id IN ('acme', 'trials') ORDER BY 1",
    );
    expect(tenants.rows).toEqual([
      { tenant_id: 'acme', kind: 'live' },
      { tenant_id: 'trials', kind: 'test' },
    ]);
  });

  it('do not cross over by another spelling', async () => {
    const test = await make('trials', { kind: 'test' });
    expect(await opens(test.key.replace(TEST_KEY_PREFIX, 'pal_'))).toEqual([401, 'unauthenticated']);
    expect(await opens(gateway.key.replace(/^pal_/, TEST_KEY_PREFIX))).toEqual([401, 'unauthenticated']);
  });

  it('cannot be given to a tenant of the other kind, by the database neither', async () => {
    const { keyId } = await make('trials', { kind: 'test' });
    const move = "UPDATE gateway.api_keys SET tenant_id = 'acme' WHERE key_id = $1";
    await expect(database.pool.query(move, [keyId])).rejects.toMatchObject({ code: '23503' });
  });

  it('bring a tenant into being once, whoever comes first', async () => {
    const kinds = ['live', 'test', 'live', 'test'] as const;
    const made = await Promise.allSettled(kinds.map((kind) => make('contested', { kind })));
    const { rows } = await database.pool.query<{ kind: string }>(
      "SELECT kind FROM gateway.tenants WHERE tenant_id = 'contested'",
    );
    expect(rows).toHaveLength(1);
    expect(made.map(({ status }) => status === 'fulfilled')).toEqual(
      kinds.map((kind) => kind === rows[0]?.kind),
    );
  });

  it('do not show one tenant’s runs to the other', async () => {
    const test = await make('trials', { kind: 'test' });
    const runId = await gateway.newRun();
    const answer = await gateway.ask({ method: 'GET', url: `/v1/runs/${runId}`, key: test.key });
    expect(answer.status).toBe(404);
  });

  describe('rotated', () => {
    it('have a successor with tenant, name, scopes and kind, and open for the grace period', async () => {
      const old = await make('turning', {
        kind: 'test',
        scopes: ['runs:read'],
        lifetimeSeconds: 86_400 * 90,
      });
      const { key, keyId, tenantId, oldExpiresAt } = await rotateApiKey(db(), { keyId: old.keyId });
      expect([tenantId, keyIdOf(key)]).toEqual(['turning', keyId]);
      expect(await authenticate(db(), key)).toMatchObject({
        tenantId: 'turning',
        scopes: ['runs:read'],
        testKey: true,
      });
      expect([await opens(old.key), await opens(key)]).toEqual([
        [200, undefined],
        [200, undefined],
      ]);
      const [first, second] = await listApiKeys(db(), 'turning');
      expect(first).toMatchObject({ keyId: old.keyId, rotatedTo: keyId, expiresAt: oldExpiresAt });
      expect(second).toMatchObject({ keyId, name: 'spec', rotatedTo: null });
      const days = (key: { createdAt: Date; expiresAt: Date | null } | undefined): number =>
        Math.round((Number(key?.expiresAt) - Number(key?.createdAt)) / 86_400_000);
      expect([days(first), days(second)]).toEqual([1, 90]);
      await endNow(old.keyId);
      expect([await opens(old.key), await opens(key)]).toEqual([
        [401, 'key_expired'],
        [200, undefined],
      ]);
    });

    it('end at once without a grace period, and never later than they would have', async () => {
      const old = await make('turning-fast');
      await rotateApiKey(db(), { keyId: old.keyId, graceSeconds: 0 });
      expect(await opens(old.key)).toEqual([401, 'key_expired']);
      const short = await make('turning-fast', { lifetimeSeconds: 60 });
      const before = (await listApiKeys(db(), 'turning-fast')).find(({ keyId }) => keyId === short.keyId);
      const { oldExpiresAt } = await rotateApiKey(db(), { keyId: short.keyId });
      expect(oldExpiresAt).toEqual(before?.expiresAt);
    });

    it('have one successor, however many ask at once', async () => {
      const { keyId } = await make('turning-once');
      const outcomes = await Promise.allSettled([1, 2, 3].map(() => rotateApiKey(db(), { keyId })));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await listApiKeys(db(), 'turning-once')).toHaveLength(2);
    });

    it('cannot be what is over or unknown', async () => {
      const revoked = await make('over');
      await revokeApiKey(db(), { keyId: revoked.keyId });
      const expired = await make('over');
      await endNow(expired.keyId);
      for (const { keyId } of [revoked, expired]) {
        await expect(rotateApiKey(db(), { keyId })).rejects.toMatchObject({ code: 'validation_error' });
      }
      await expect(rotateApiKey(db(), { keyId: 'NoSuchKeyId1' })).rejects.toMatchObject({
        code: 'not_found',
      });
      expect(await listApiKeys(db(), 'over')).toHaveLength(2);
    });
  });

  it('are listed without secret and hash', async () => {
    const { key } = await make('listed');
    const text = JSON.stringify(await listApiKeys(db()));
    expect(text).toContain('listed');
    expect(text).not.toContain(key.slice(-43));
    expect(text).not.toMatch(/hash/i);
  });

  it('that were made before there were kinds are live', async () => {
    const [keys, idempotency, life] = gatewayMigrations.migrations;
    const before = await createTestDatabase([
      { schema: 'gateway', migrations: [keys, idempotency].filter((each) => each !== undefined) },
    ]);
    await before.pool.query(
      `INSERT INTO gateway.api_keys (key_id, tenant_id, name, key_hash, scopes)
       VALUES ('k', 'old', 'n', sha256('x'), '{}')`,
    );
    await before.pool.query(life && 'sql' in life ? life.sql : '');
    const { rows } = await before.pool.query('SELECT kind, expires_at FROM gateway.api_keys');
    expect(rows).toEqual([{ kind: 'live', expires_at: null }]);
    await before.drop();
  });
});
