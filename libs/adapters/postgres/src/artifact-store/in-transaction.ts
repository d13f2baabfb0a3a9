import type { Pool, PoolClient } from 'pg';
import { isPalimpsestError } from '@palimpsest/kernel';

/** Does the work in one transaction. */
export async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    await rollBack(client, isPalimpsestError(error));
    throw error;
  }
}

/** After a refusal of ours the connection is sound; after any other, ending it rolls back even where the server is gone. */
async function rollBack(client: PoolClient, sound: boolean): Promise<void> {
  const rolledBack =
    sound &&
    (await client.query('ROLLBACK').then(
      () => true,
      () => false,
    ));
  client.release(!rolledBack);
}
