import { TerminalError } from '@palimpsest/kernel';

/** What a migration may do: statements in the transaction it runs in. */
export type MigrationTransaction = {
  query(sql: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
};

/**
 * One step forward. Applied once, in its own transaction, never changed afterwards. The checksum covers `sql`;
 * of an `up` only the name is kept, as its compiled text is not stable.
 */
export type Migration =
  | { readonly name: string; readonly sql: string }
  | { readonly name: string; readonly up: (transaction: MigrationTransaction) => Promise<void> };

/** The migrations of one schema, in order. The runner makes the schema. */
export type MigrationSet = { readonly schema: string; readonly migrations: readonly Migration[] };

export type AppliedMigration = { readonly schema: string; readonly name: string };

/** What is recorded in the database does not fit the migrations given. */
export class MigrationError extends TerminalError {
  constructor(
    readonly schema: string,
    readonly migration: string,
    reason: string,
  ) {
    super('internal_error', `Migration ${schema}/${migration}: ${reason}.`, {
      details: { schema, migration },
    });
  }
}
