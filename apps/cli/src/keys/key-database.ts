import { createDatabase, createPool } from '@palimpsest/adapter-postgres';
import type { GatewayTables } from '@palimpsest/gateway';
import { databaseUrl, notMigrated, type DatabaseOptions } from '../database/database-url.js';
import type { Environment } from '../output/output.js';
import { CliError, EXIT, UsageError } from '../program/cli-error.js';

/** Keys are made where they are kept: whoever may write to the database may make them. */
export type KeyDatabaseOptions = DatabaseOptions & { readonly json?: boolean };

const HINT = [
  'Keys are kept in the database. Start it: npx palimpsest start',
  'Or name it: --data-dir <folder>, --database-url <url> or DATABASE_URL.',
];

type Database = ReturnType<typeof createDatabase<GatewayTables>>;

/** Does the work on the database that options, environment or the data folder name. */
export async function withKeyDatabase<Result>(
  options: KeyDatabaseOptions,
  environment: Environment,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const pool = createPool(databaseUrl(options, { environment, hint: HINT }), {
    applicationName: 'palimpsest-keys',
    maxConnections: 1,
  });
  try {
    return await work(createDatabase<GatewayTables>(pool));
  } catch (error) {
    throw keyFailure(error);
  } finally {
    await pool.end();
  }
}

function keyFailure(error: unknown): unknown {
  const missing = notMigrated(error);
  if (missing) return missing;
  const { code, message } = error as { code?: unknown; message?: unknown };
  const said = String(message).replace(/\.$/, '');
  if (code === 'not_found') return new NoSuchKeyError(said);
  return code === 'validation_error' ? new UsageError(said) : error;
}

export class NoSuchKeyError extends CliError {
  constructor(message: string) {
    super(message, {
      code: 'not_found',
      exitCode: EXIT.server,
      hint: 'A key is named by its id: npx palimpsest keys list',
    });
  }
}
