import type { PoolClient } from 'pg';

/** First key of the advisory locks on erasure; the second is the tenant's hash. */
const ERASURE_LOCK = 0x70616c61;

const LOCK = {
  deriving: 'SELECT pg_advisory_xact_lock_shared($1, hashtext($2))',
  erasing: 'SELECT pg_advisory_xact_lock($1, hashtext($2))',
};

/**
 * Held to the end of the transaction. Erasing must see every derivation there is: those who derive share the
 * tenant's lock, who erases has it alone. Without it an erasure would miss a derivation that is not yet
 * committed, and erased content would live on in a summary.
 */
export async function lockErasure(
  client: PoolClient,
  tenantId: string,
  as: keyof typeof LOCK,
): Promise<void> {
  await client.query(LOCK[as], [ERASURE_LOCK, tenantId]);
}
