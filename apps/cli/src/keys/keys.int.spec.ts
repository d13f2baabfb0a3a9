import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { gatewayMigrations, SCOPES } from '@palimpsest/gateway';
import { Output, type Environment } from '../output/output.js';
import type { Session } from '../program/session.js';
import { createKey, type CreateKeyOptions } from './create-key.js';
import { listKeys } from './list-keys.js';
import { revokeKey } from './revoke-key.js';
import { rotateKey } from './rotate-key.js';

type Heard = { out: string; err: string };

describe('palimpsest keys', () => {
  let database: TestDatabase;
  let environment: Environment;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    environment = { DATABASE_URL: database.url };
  });
  afterAll(() => database.drop());

  async function hear(work: (session: Session) => Promise<void>, variables = environment): Promise<Heard> {
    const heard: Heard = { out: '', err: '' };
    const out = { write: (text: string) => (heard.out += text) };
    const err = { write: (text: string) => (heard.err += text) };
    const api = (): Promise<never> => Promise.reject(new TypeError('no server is asked'));
    await work({ output: new Output(out, err, {}), environment: variables, api });
    return heard;
  }

  const create = (options: Partial<CreateKeyOptions> = {}): Promise<Heard> =>
    hear((session) =>
      createKey({ tenant: 'default', name: 'spec', scopes: ['runs:read'], ...options }, session),
    );

  async function made(options: Partial<CreateKeyOptions> = {}): Promise<{ key: string; keyId: string }> {
    return JSON.parse((await create({ ...options, json: true })).out) as { key: string; keyId: string };
  }

  type Listed = { readonly keyId: string } & Record<string, unknown>;

  async function listed(tenant: string): Promise<readonly Listed[]> {
    const { out } = await hear((session) => listKeys({ tenant, json: true }, session));
    return (JSON.parse(out) as { keys: Listed[] }).keys;
  }

  it('prints a key once, and nothing else to where it is piped', async () => {
    const { out, err } = await create();
    expect(out).toMatch(/^pal_[A-Za-z0-9]{12}_[A-Za-z0-9_-]{43}\n$/);
    expect(err).toContain(out.slice(4, 16));
    expect(err).not.toContain(out.trim());
    const list = await hear((session) => listKeys({}, session));
    expect(list.out).toContain(out.slice(4, 16));
    expect(list.out).not.toContain(out.trim().slice(-43));
  });

  it('makes keys as they are asked for', async () => {
    const { key, keyId } = await made({
      tenant: 'trials',
      name: 'both',
      scopes: SCOPES,
      test: true,
      expiresIn: 86_400,
    });
    expect(key).toMatch(/^pal_test_/);
    const [only] = await listed('trials');
    expect(only).toMatchObject({ keyId, tenantId: 'trials', name: 'both', kind: 'test', revokedAt: null });
    expect(only?.['scopes']).toEqual([...SCOPES]);
    expect(Date.parse(String(only?.['expiresAt'])) - Date.parse(String(only?.['createdAt']))).toBe(
      86_400_000,
    );
    expect(Object.keys(only ?? {}).filter((name) => /hash|secret/i.test(name))).toEqual([]);
  });

  it.each([
    ['a tenant of the other kind', { tenant: 'trials' }],
    ['a tenant that is no id', { tenant: 'Trials!' }],
    ['a name that is none', { name: '' }],
  ])('ends with 2 for %s', async (_, options) => {
    await made({ tenant: 'trials', test: true });
    await expect(create(options)).rejects.toMatchObject({ exitCode: 2 });
  });

  it('rotates and revokes', async () => {
    const { keyId } = await made({ tenant: 'turning' });
    const rotated = await hear((session) => rotateKey(keyId, { grace: 3600, json: true }, session));
    const successor = JSON.parse(rotated.out) as { key: string; keyId: string };
    expect(successor).toMatchObject({ rotated: keyId, tenantId: 'turning' });
    expect(successor.key).toContain(successor.keyId);
    await hear((session) => revokeKey(keyId, {}, session));
    const [old, fresh] = await listed('turning');
    expect(old).toMatchObject({ keyId, rotatedTo: successor.keyId, revokedAt: expect.any(String) });
    expect(fresh).toMatchObject({ keyId: successor.keyId, scopes: ['runs:read'], revokedAt: null });
    const again = hear((session) => rotateKey(keyId, { grace: 0 }, session));
    await expect(again).rejects.toMatchObject({ exitCode: 2 });
  });

  it('ends with 3 where there is no such key', async () => {
    const revoke = hear((session) => revokeKey('NoSuchKeyId1', {}, session));
    await expect(revoke).rejects.toMatchObject({ exitCode: 3, code: 'not_found' });
    const rotate = hear((session) => rotateKey('NoSuchKeyId1', { grace: 0 }, session));
    await expect(rotate).rejects.toMatchObject({ code: 'not_found' });
  });

  it('says what to do where no database is named or runs, or it has no tables', async () => {
    const nowhere = hear((session) => listKeys({ dataDir: '/nowhere' }, session), {});
    await expect(nowhere).rejects.toMatchObject({
      exitCode: 3,
      code: 'no_database',
      hint: expect.stringContaining('palimpsest start'),
    });
    const empty = await createTestDatabase([]);
    const list = hear((session) => listKeys({ databaseUrl: empty.url }, session));
    await expect(list).rejects.toMatchObject({ exitCode: 3, code: 'not_migrated' });
    await empty.drop();
  });

  it('takes no database URL of another kind, and does not repeat it', async () => {
    const refusal: unknown = await hear((session) =>
      listKeys({ databaseUrl: 'mysql://u:hush@db/x' }, session),
    ).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ exitCode: 2 });
    expect(String(refusal)).not.toContain('hush');
    const both = hear((session) => listKeys({ databaseUrl: database.url, dataDir: 'x' }, session));
    await expect(both).rejects.toMatchObject({ exitCode: 2 });
  });
});
