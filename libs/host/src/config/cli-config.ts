import { z } from 'zod';
import type { Environment } from './environment.js';
import { readConfig, variable, type ConfigOf } from './read-config.js';
import { connectionUrl, type ValuesMeta } from './variable-kinds.js';

const key: ValuesMeta = { values: 'an API key, `pal_…`', secret: 'yes' };

/** What is given to the command line the other way, as options, is judged there: nothing here is refused. */
const targetVariables = {
  url: variable(
    'PALIMPSEST_URL',
    z.string().meta({ values: '`http://…` or `https://…`' }).optional(),
    'The server that commands ask. `--url` wins over it; without both it is the one of the credentials file.',
  ),
  key: variable(
    'PALIMPSEST_API_KEY',
    z.string().meta(key).optional(),
    'The key that commands show. `--key` wins over it; without both it is the one of the credentials file.',
  ),
};

export const cliVariables = {
  ...targetVariables,
  databaseUrl: variable(
    'DATABASE_URL',
    connectionUrl('postgres', 'postgresql').optional(),
    'The Postgres that `palimpsest keys` makes keys in and `palimpsest dlq` finds dead letters in. `--database-url` wins over it.',
  ),
  natsUrl: variable(
    'NATS_URL',
    connectionUrl('nats', 'tls', 'ws', 'wss').optional(),
    'The NATS server that `palimpsest dlq` finds dead letters on, where services run apart. `--nats-url` wins over it.',
  ),
  dataDirectory: variable(
    'PALIMPSEST_DATA_DIR',
    z.string().default('.palimpsest'),
    'Folder of the embedded database that `palimpsest keys` and `palimpsest dlq` work on where no other is named.',
  ),
  noColor: variable('NO_COLOR', z.string().optional(), 'Set to anything, it turns colours off.'),
};

export type CliTargetConfig = ConfigOf<typeof targetVariables>;

export const readCliTargetConfig = (env: Environment): CliTargetConfig => readConfig(targetVariables, env);
