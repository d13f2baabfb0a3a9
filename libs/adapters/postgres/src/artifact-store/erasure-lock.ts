import type { PoolClient } from 'pg';

/** First key of the advisory locks on erasure; the second is the tenant's hash. */
const ERASURE_LOCK = 0x70616c61;

const LOCK = {
  deriving: 'SELECT pg_advisory_xact_lock_shared($1, hashtext($2))',
  erasing: 'SELECT pg_advisory_xact_lock($1, hashtext($2))',
};

/**
 * The part of a `WITH` that takes the lock of the tenant $1 as `deriving`, for a statement that adds users of content and
 * selects from it before it writes. Such a statement may see the rows from before its wait, so it must not decide by what
 * it reads: a row that it meets on insertion is seen as it is by then.
 */
export const BESIDE_ERASURE = `beside_erasure AS MATERIALIZED (
  SELECT pg_advisory_xact_lock_shared(${ERASURE_LOCK}, hashtext($1::text))
)`;

/**
 * Held to the end of the transaction. Erasing must see every derivation and every user there is: those who derive, store or
 * link share the tenant's lock, who erases has it alone. Without it an erasure would miss what is not yet committed:
 * erased content would live on in a summary, or a fork would lose what it has just been given.
 */
export async function lockErasure(
  client: PoolClient,
  tenantId: string,
  as: keyof typeof LOCK,
): Promise<void> {
  await client.query(LOCK[as], [ERASURE_LOCK, tenantId]);
}
