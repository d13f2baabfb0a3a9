import { findLocalDatabase } from '@palimpsest/app-all-in-one';
import type { Environment } from '../output/output.js';
import { CliError, EXIT, UsageError } from '../program/cli-error.js';

/** Commands that work on the database itself: whoever may write to it may do what they do. */
export type DatabaseOptions = {
  readonly databaseUrl?: string;
  readonly dataDir?: string;
};

export type DatabaseSearch = {
  readonly environment: Environment;
  /** What the hint says where none is found; a line of its own each. */
  readonly hint: readonly string[];
};

/** The database that options, environment or the data folder name. */
export function databaseUrl(options: DatabaseOptions, { environment, hint }: DatabaseSearch): string {
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
    hint: hint.join('\n'),
  });
}

/** The URL is not repeated: it holds a password. */
function checkedUrl(url: string): string {
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new UsageError('the database URL must start with postgres:// or postgresql://');
}

/** SQLSTATE of a table or a column that is not there. */
const NOT_MIGRATED = new Set(['42P01', '42703', '3F000']);

/** The end of a command whose database lacks its tables; `undefined` for any other failure. */
export function notMigrated(error: unknown): CliError | undefined {
  if (!causesOf(error).some(({ code }) => NOT_MIGRATED.has(String(code)))) return undefined;
  return new CliError('the database has no tables of this version', {
    code: 'not_migrated',
    exitCode: EXIT.server,
    hint: 'Bring it up to date first: npx palimpsest start, or the migrate process of a deployment.',
    cause: error,
  });
}

type Failure = { readonly code?: unknown; readonly cause?: unknown };

function causesOf(error: unknown): Failure[] {
  if (typeof error !== 'object' || error === null) return [];
  return [error, ...causesOf((error as Failure).cause)];
}
