import { sql, type Kysely } from 'kysely';
import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { GatewayTables } from './tables.js';

export type ClaimRequest = {
  readonly scopeHash: string;
  readonly tenantId: string;
  readonly digest: string;
  /** Names this use of the key, if it is a new one. */
  readonly claimId: string;
  /** Names this attempt. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly ttlMs: number;
};

export type ClaimOutcome =
  | { readonly kind: 'owned'; readonly claimId: string }
  | { readonly kind: 'recorded'; readonly status: number; readonly answer: unknown }
  | { readonly kind: 'in-flight' }
  | { readonly kind: 'mismatch' };

/**
 * Takes the key for one attempt, or says what stands. Of any number of attempts at once one wins: the insert
 * and the take-over are single statements on the primary key. The database's clock decides leases and expiry.
 */
export async function claimIdempotencyKey(
  db: Kysely<GatewayTables>,
  request: ClaimRequest,
): Promise<ClaimOutcome> {
  return withDatabaseErrors(async () => {
    // The row may be released between the statements: then the key is free, and is asked for again.
    for (;;) {
      const claimId = (await insertClaim(db, request)) ?? (await takeOver(db, request));
      if (claimId !== undefined) return { kind: 'owned', claimId };
      const standing = await readClaim(db, request);
      if (standing) return standing;
    }
  });
}

const later = (milliseconds: number) => sql<Date>`now() + ${milliseconds} * interval '1 millisecond'`;

async function insertClaim(db: Kysely<GatewayTables>, request: ClaimRequest): Promise<string | undefined> {
  const row = await db
    .insertInto('gateway.idempotency')
    .values({
      scope_hash: request.scopeHash,
      tenant_id: request.tenantId,
      claim_id: request.claimId,
      request_digest: request.digest,
      state: 'pending',
      lease_owner: request.owner,
      lease_until: later(request.leaseMs),
      status: null,
      answer: null,
      expires_at: later(request.ttlMs),
    })
    .onConflict((conflict) => conflict.column('scope_hash').doNothing())
    .returning('claim_id')
    .executeTakeFirst();
  return row?.claim_id;
}

/**
 * An attempt that failed for the moment, or whose lease ran out, is taken over under the same claim, so that
 * what it may have done already is found again. A key whose time is over begins anew.
 */
async function takeOver(db: Kysely<GatewayTables>, request: ClaimRequest): Promise<string | undefined> {
  const row = await db
    .updateTable('gateway.idempotency')
    .set({
      claim_id: sql`CASE WHEN expires_at < now() THEN ${request.claimId} ELSE claim_id END`,
      expires_at: sql`CASE WHEN expires_at < now() THEN ${later(request.ttlMs)} ELSE expires_at END`,
      request_digest: request.digest,
      state: 'pending',
      lease_owner: request.owner,
      lease_until: later(request.leaseMs),
      status: null,
      answer: null,
    })
    .where('scope_hash', '=', request.scopeHash)
    .where((row) =>
      row.or([
        sql<boolean>`expires_at < now()`,
        row.and([
          row('request_digest', '=', request.digest),
          row.or([
            row('state', '=', 'retryable-failure'),
            row.and([row('state', '=', 'pending'), row('lease_until', '<', sql<Date>`now()`)]),
          ]),
        ]),
      ]),
    )
    .returning('claim_id')
    .executeTakeFirst();
  return row?.claim_id;
}

async function readClaim(
  db: Kysely<GatewayTables>,
  request: ClaimRequest,
): Promise<ClaimOutcome | undefined> {
  const row = await db
    .selectFrom('gateway.idempotency')
    .select(['request_digest', 'status', 'answer'])
    .where('scope_hash', '=', request.scopeHash)
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.request_digest !== request.digest) return { kind: 'mismatch' };
  if (row.status !== null) return { kind: 'recorded', status: row.status, answer: row.answer };
  return { kind: 'in-flight' };
}
