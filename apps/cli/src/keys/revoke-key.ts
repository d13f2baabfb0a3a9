import { revokeApiKey } from '@palimpsest/gateway';
import type { Session } from '../program/session.js';
import { NoSuchKeyError, withKeyDatabase, type KeyDatabaseOptions } from './key-database.js';

/** `palimpsest keys revoke` */
export async function revokeKey(
  keyId: string,
  options: KeyDatabaseOptions,
  { output, environment }: Session,
): Promise<void> {
  const revoked = await withKeyDatabase(options, environment, (database) =>
    revokeApiKey(database, { keyId }),
  );
  if (!revoked) throw new NoSuchKeyError(`there is no key ${keyId}`);
  if (options.json) return output.json({ keyId, revoked });
  output.line(`Key ${keyId} opens nothing any more.`);
}
