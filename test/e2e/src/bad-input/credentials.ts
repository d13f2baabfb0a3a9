import { createDatabase } from '@palimpsest/adapter-postgres';
import { createApiKey, revokeApiKey, SCOPES, type GatewayTables, type Scope } from '@palimpsest/gateway';
import type { Pool } from 'pg';

/** What stands for the caller in a request, and what has to be said of it. */
export type BadCredential = {
  readonly label: string;
  /** Value of `Authorization`; several: several headers; absent: none. */
  readonly authorization?: string | string[];
  readonly code: 'unauthenticated' | 'key_expired' | 'key_revoked';
};

export type Credentials = {
  readonly bad: readonly BadCredential[];
  /** A good key that may do everything but this. */
  readonly without: Readonly<Record<string, string>>;
};

/** `good` is a valid key of the tenant. */
export async function makeCredentials(pool: Pool, tenantId: string, good: string): Promise<Credentials> {
  const db = createDatabase<GatewayTables>(pool);
  const make = (name: string, scopes: readonly Scope[] = SCOPES) =>
    createApiKey(db, { tenantId, name, scopes });
  const revoked = await make('revoked');
  await revokeApiKey(db, { keyId: revoked.keyId });
  const expired = await make('expired');
  await pool.query(
    `UPDATE gateway.api_keys SET lifetime_seconds = 1, expires_at = now() - interval '1 hour' WHERE key_id = $1`,
    [expired.keyId],
  );
  const without = await Promise.all(
    SCOPES.map(async (scope) => {
      const others = SCOPES.filter((each) => each !== scope);
      return [scope, (await make(`without ${scope}`, others)).key] as const;
    }),
  );
  return {
    bad: [
      ...unauthenticated(good),
      { label: 'a revoked key', authorization: `Bearer ${revoked.key}`, code: 'key_revoked' },
      { label: 'an expired key', authorization: `Bearer ${expired.key}`, code: 'key_expired' },
    ],
    without: Object.fromEntries(without),
  };
}

function unauthenticated(good: string): readonly BadCredential[] {
  const other = good.endsWith('A') ? 'B' : 'A';
  const values: readonly (readonly [string, string | string[] | undefined])[] = [
    ['no key', undefined],
    ['an empty header', ''],
    ['a scheme alone', 'Bearer'],
    ['another scheme', `Basic ${Buffer.from(`user:${good}`).toString('base64')}`],
    ['a key without its scheme', good],
    ['garbage', 'Bearer ../../etc/passwd'],
    ['a long garbage', `Bearer ${'x'.repeat(8000)}`],
    ['letters beyond ASCII', 'Bearer \u00ff\u00fe'],
    ['a key with another last letter', `Bearer ${good.slice(0, -1)}${other}`],
    ['a key that was cut', `Bearer ${good.slice(0, -1)}`],
    ['a key that nobody has', `Bearer pal_${'A'.repeat(12)}_${'A'.repeat(43)}`],
    ['a key twice', [`Bearer ${good}`, `Bearer ${good}`]],
    ['two keys in one header', `Bearer ${good}, Bearer ${good}`],
  ];
  return values.map(([label, authorization]) => ({
    label,
    code: 'unauthenticated',
    ...(authorization !== undefined && { authorization }),
  }));
}
