import { createDatabase } from '@palimpsest/adapter-postgres';
import { createTestDatabase } from '@palimpsest/adapter-postgres/testing';
import { createTestNatsServer } from '@palimpsest/adapter-nats/testing';
import { createApiKey, type GatewayTables } from '@palimpsest/gateway';
import type { Pool } from 'pg';
import { ApiClient } from './api-client.js';
import { BusTap } from './bus-tap.js';
import { Cluster } from './cluster.js';
import { ServiceProcess, type LogLine } from './service-process.js';

/** A running Palimpsest, as its user and its operator meet it. */
export type Deployment = {
  readonly api: ApiClient;
  readonly key: string;
  /** For looking into the database from outside. */
  readonly pool: Pool;
  logLines(): readonly (LogLine & { readonly app: string })[];
  stop(): Promise<void>;
};

export type SplitDeployment = Deployment & { readonly cluster: Cluster; readonly tap: BusTap };

/** Debug lines too: no level may say more than it should. A patient assembler: its summaries are the workers'. */
const VARIABLES = { PALIMPSEST_LOG_LEVEL: 'debug', PALIMPSEST_SUMMARY_DEADLINE_MS: '20000' };

/** Every service apart, two summarizer workers, on a NATS server of its own. */
export async function startSplit(): Promise<SplitDeployment> {
  const database = await createTestDatabase([]);
  const nats = await createTestNatsServer();
  const tap = await BusTap.open(nats.url);
  const cluster = await Cluster.start({
    databaseUrl: database.url,
    natsUrl: nats.url,
    workers: 2,
    variables: VARIABLES,
  });
  return {
    cluster,
    tap,
    api: new ApiClient(cluster.url, cluster.key),
    key: cluster.key,
    pool: cluster.pool,
    logLines: () => cluster.logLines(),
    stop: async () => {
      await cluster.stop();
      await tap.close();
      await nats.remove();
      await database.drop();
    },
  };
}

/** Every service in one process. */
export async function startAllInOne(): Promise<Deployment> {
  const database = await createTestDatabase([]);
  const process = new ServiceProcess('all-in-one', {
    ...VARIABLES,
    DATABASE_URL: database.url,
    PALIMPSEST_PORT: '0',
  });
  await process.until('it is ready', () => process.logged('Ready').length > 0);
  const url = String(process.logged('Ready')[0]?.fields['url']);
  const { key } = await createApiKey(createDatabase<GatewayTables>(database.pool), {
    tenantId: 'default',
    name: 'e2e',
  });
  return {
    api: new ApiClient(url, key),
    key,
    pool: database.pool,
    logLines: () => process.lines.map((line) => ({ app: process.app, ...line })),
    stop: async () => {
      await process.end('SIGTERM');
      await database.drop();
    },
  };
}
