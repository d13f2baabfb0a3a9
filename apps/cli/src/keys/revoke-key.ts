import { revokeApiKey } from '@palimpsest/gateway';
import { CliError, EXIT } from '../program/cli-error.js';
import type { Session } from '../program/session.js';
import { withKeyDatabase, type KeyDatabaseOptions } from './key-database.js';

/** `palimpsest keys revoke` */
export async function revokeKey(
  keyId: string,
  options: KeyDatabaseOptions,
  { output, environment }: Session,
): Promise<void> {
  const revoked = await withKeyDatabase(options, environment, (database) =>
    revokeApiKey(database, { keyId }),
  );
  if (!revoked) {
    throw new CliError(`there is no key ${keyId}`, {
      code: 'not_found',
      exitCode: EXIT.server,
      hint: 'A key is named by its id: palimpsest keys list',
    });
  }
  if (options.json) return output.json({ keyId, revoked });
  output.line(`Key ${keyId} opens nothing any more.`);
}
