import type { MigrationSet } from '@palimpsest/adapter-postgres';

/** The relay's own schema; the log's tables belong to the log's adapter. */
export const runLogRelayMigrations: MigrationSet = {
  schema: 'run_log_relay',
  migrations: [
    {
      name: '0001-checkpoints',
      sql: `CREATE TABLE run_log_relay.checkpoints (
        reader         text PRIMARY KEY,
        transaction_id numeric(20, 0) NOT NULL,
        position       bigint NOT NULL
      )`,
    },
  ],
};
