import type { Kysely } from 'kysely';
import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { JsonValue } from '@palimpsest/contracts';
import type { GatewayTables, IdempotencyState } from './tables.js';

/** The attempt that holds the key. Where another has taken it over, nothing is written. */
export type ClaimHolder = { readonly scopeHash: string; readonly owner: string };

export type Settlement = {
  readonly state: Exclude<IdempotencyState, 'pending'>;
  readonly status?: number;
  readonly answer?: JsonValue;
};

export async function settleIdempotencyKey(
  db: Kysely<GatewayTables>,
  holder: ClaimHolder,
  settlement: Settlement,
): Promise<void> {
  await withDatabaseErrors(() =>
    db
      .updateTable('gateway.idempotency')
      .set({
        state: settlement.state,
        status: settlement.status ?? null,
        answer: settlement.answer === undefined ? null : JSON.stringify(settlement.answer),
        lease_owner: null,
        lease_until: null,
      })
      .where('scope_hash', '=', holder.scopeHash)
      .where('lease_owner', '=', holder.owner)
      .execute(),
  );
}

/** Nothing was done under the key: it is free again, for any body. */
export async function releaseIdempotencyKey(db: Kysely<GatewayTables>, holder: ClaimHolder): Promise<void> {
  await withDatabaseErrors(() =>
    db
      .deleteFrom('gateway.idempotency')
      .where('scope_hash', '=', holder.scopeHash)
      .where('lease_owner', '=', holder.owner)
      .execute(),
  );
}
