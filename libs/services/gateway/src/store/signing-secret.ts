import type { Kysely } from 'kysely';
import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { GatewayTables } from './tables.js';

/** The secret of that name: the one given where there was none. Of instances that come at once, one gives it. */
export async function keepSigningSecret(
  db: Kysely<GatewayTables>,
  name: string,
  fresh: Buffer,
): Promise<Buffer> {
  return withDatabaseErrors(async () => {
    await db
      .insertInto('gateway.signing_secrets')
      .values({ name, secret: fresh })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const { secret } = await db
      .selectFrom('gateway.signing_secrets')
      .select('secret')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return secret;
  });
}
