import { findLocalDatabase } from '@palimpsest/app-all-in-one';
import { createDatabase, createPool } from '@palimpsest/adapter-postgres';
import type { GatewayTables } from '@palimpsest/gateway';
import type { Environment } from '../output/output.js';
import { CliError, EXIT, UsageError } from '../program/cli-error.js';

/** Keys are made where they are kept: whoever may write to the database may make them. */
export type KeyDatabaseOptions = {
  readonly databaseUrl?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
};

type Database = ReturnType<typeof createDatabase<GatewayTables>>;

/** Does the work on the database that options, environment or the data folder name. */
export async function withKeyDatabase<Result>(
  options: KeyDatabaseOptions,
  environment: Environment,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const pool = createPool(databaseUrl(options, environment), {
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

function databaseUrl(options: KeyDatabaseOptions, environment: Environment): string {
  const named = options.databaseUrl ?? (environment['DATABASE_URL'] || undefined);
  if (named !== undefined && options.dataDir === undefined) return checkedUrl(named);
  if (options.databaseUrl !== undefined)
    throw new UsageError('--database-url and --data-dir exclude each other');
  const folder = options.dataDir ?? (environment['PALIMPSEST_DATA_DIR'] || '.palimpsest');
  const found = findLocalDatabase(folder);
  if (found !== undefined) return found;
  throw new CliError(`no database runs in ${folder}`, {
    code: 'no_database',
    exitCode: EXIT.server,
    hint: [
      'Keys are kept in the database. Start it: npx palimpsest start',
      'Or name it: --data-dir <folder>, --database-url <url> or DATABASE_URL.',
    ].join('\n'),
  });
}

/** The URL is not repeated: it holds a password. */
function checkedUrl(url: string): string {
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new UsageError('the database URL must start with postgres:// or postgresql://');
}

/** SQLSTATE of a table or a column that is not there. */
const NOT_MIGRATED = new Set(['42P01', '42703', '3F000']);

function keyFailure(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (NOT_MIGRATED.has(String(code))) {
    return new CliError('the database has no tables of this version', {
      code: 'not_migrated',
      exitCode: EXIT.server,
      hint: 'Bring it up to date first: npx palimpsest start, or the migrate process of a deployment.',
      cause: error,
    });
  }
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
