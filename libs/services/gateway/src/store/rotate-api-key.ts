import { sql, type Kysely, type Selectable } from 'kysely';
import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import { NotFoundError } from '@palimpsest/kernel';
import type { KeyKind } from '../domain/api-key.js';
import { KeyNotRotatableError } from '../domain/key-errors.js';
import { insertKeyRow } from './insert-api-key.js';
import type { ApiKeysTable, GatewayTables } from './tables.js';

export type KeyRotation = {
  readonly keyId: string;
  readonly graceSeconds: number;
  /** Of the successor; default: as the old key's was. */
  readonly lifetimeSeconds?: number;
  /** Makes the successor's text; only its id and hash are kept. */
  makeSuccessor(kind: KeyKind): { readonly keyId: string; readonly keyHash: Buffer };
};

type LockedKey = Selectable<ApiKeysTable> & { readonly expired: boolean };

/**
 * A successor with the tenant, name, scopes and kind of the old key, which then ends with the grace period or when it
 * would have anyway. The old row is locked, so that a key gets one successor.
 * @throws NotFoundError, KeyNotRotatableError
 */
export async function rotateKeyRow(
  db: Kysely<GatewayTables>,
  rotation: KeyRotation,
): Promise<{ readonly tenantId: string; readonly oldExpiresAt: Date }> {
  return withDatabaseErrors(() =>
    db.transaction().execute(async (transaction) => {
      const old = await lockKey(transaction, rotation.keyId);
      const successor = rotation.makeSuccessor(old.kind);
      await insertKeyRow(transaction, {
        ...successor,
        tenantId: old.tenant_id,
        name: old.name,
        scopes: old.scopes,
        kind: old.kind,
        lifetimeSeconds: rotation.lifetimeSeconds ?? lifetimeOf(old),
      });
      const oldExpiresAt = await retire(transaction, rotation, successor.keyId);
      return { tenantId: old.tenant_id, oldExpiresAt };
    }),
  );
}

async function lockKey(db: Kysely<GatewayTables>, keyId: string): Promise<LockedKey> {
  const row = await db
    .selectFrom('gateway.api_keys')
    .selectAll()
    .select(sql<boolean>`coalesce(expires_at <= now(), false)`.as('expired'))
    .where('key_id', '=', keyId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new NotFoundError('The key');
  if (row.revoked_at !== null) throw new KeyNotRotatableError(keyId, 'revoked');
  if (row.rotated_to !== null) throw new KeyNotRotatableError(keyId, 'rotated');
  if (row.expired) throw new KeyNotRotatableError(keyId, 'expired');
  return row;
}

function lifetimeOf({ lifetime_seconds: seconds }: LockedKey): number | undefined {
  return seconds === null ? undefined : Number(seconds);
}

async function retire(
  db: Kysely<GatewayTables>,
  { keyId, graceSeconds }: KeyRotation,
  successorId: string,
): Promise<Date> {
  const { expires_at: at } = await db
    .updateTable('gateway.api_keys')
    .set({
      rotated_to: successorId,
      expires_at: sql<Date>`least(expires_at, now() + make_interval(secs => ${graceSeconds}))`,
    })
    .where('key_id', '=', keyId)
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return at ?? new Date(0);
}
