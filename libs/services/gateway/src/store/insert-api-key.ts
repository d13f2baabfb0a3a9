import { sql, type Kysely } from 'kysely';
import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { KeyKind } from '../domain/api-key.js';
import { TenantKindError } from '../domain/key-errors.js';
import type { GatewayTables } from './tables.js';

export type NewApiKey = {
  readonly keyId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly keyHash: Buffer;
  readonly scopes: readonly string[];
  readonly kind: KeyKind;
  readonly lifetimeSeconds: number | undefined;
};

/**
 * Keeps the key; its tenant comes into being with its first key, whose kind it then has for good.
 * @throws TenantKindError
 */
export async function insertApiKey(db: Kysely<GatewayTables>, key: NewApiKey): Promise<void> {
  await withDatabaseErrors(() =>
    db.transaction().execute(async (transaction) => {
      await claimTenant(transaction, key);
      await insertKeyRow(transaction, key);
    }),
  );
}

/** Of two that bring a tenant into being at once, the second waits for the first, and sees its kind. */
async function claimTenant(db: Kysely<GatewayTables>, { tenantId, kind }: NewApiKey): Promise<void> {
  await db
    .insertInto('gateway.tenants')
    .values({ tenant_id: tenantId, kind })
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .execute();
  const tenant = await db
    .selectFrom('gateway.tenants')
    .select('kind')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  if (tenant.kind !== kind) throw new TenantKindError(tenantId, tenant.kind);
}

export async function insertKeyRow(db: Kysely<GatewayTables>, key: NewApiKey): Promise<void> {
  await db
    .insertInto('gateway.api_keys')
    .values({
      key_id: key.keyId,
      tenant_id: key.tenantId,
      name: key.name,
      key_hash: key.keyHash,
      scopes: [...key.scopes],
      kind: key.kind,
      revoked_at: null,
      lifetime_seconds: key.lifetimeSeconds ?? null,
      expires_at:
        key.lifetimeSeconds === undefined
          ? null
          : sql<Date>`now() + make_interval(secs => ${key.lifetimeSeconds})`,
      rotated_to: null,
    })
    .execute();
}
