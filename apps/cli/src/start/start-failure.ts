import { findLocalDatabase } from '@palimpsest/app-all-in-one';
import { ConfigurationError, type AllInOneConfig } from '@palimpsest/host';
import { CliError, EXIT } from '../program/cli-error.js';

/**
 * What a start that failed says. Ours is gone by then: a database that runs in the data folder all the same is
 * another's. It is not looked for beforehand: that of a start that was killed goes away by itself, and is waited for.
 */
export function startFailure(error: unknown, { databaseUrl, dataDirectory }: AllInOneConfig): unknown {
  if (error instanceof ConfigurationError) return error;
  const isTaken = databaseUrl === undefined && findLocalDatabase(dataDirectory) !== undefined;
  return isTaken ? new DataDirInUseError(dataDirectory, error) : error;
}

class DataDirInUseError extends CliError {
  constructor(folder: string, cause: unknown) {
    super(`another "palimpsest start" runs on the data folder ${folder}`, {
      code: 'data_dir_in_use',
      exitCode: EXIT.server,
      hint: 'Stop it, or take another --data-dir.',
      cause,
    });
  }
}
