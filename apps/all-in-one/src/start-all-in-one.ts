import { Module, type DynamicModule } from '@nestjs/common';
import { startEmbeddedPostgres } from '@palimpsest/adapter-embedded-postgres';
import { InProcessBus } from '@palimpsest/adapter-memory';
import { createDatabase, createPool, PostgresStreamStore, runMigrations } from '@palimpsest/adapter-postgres';
import { migrationSets } from '@palimpsest/app-migrate';
import { createApiKey, createGatewayApp, drainRequests, type GatewayTables } from '@palimpsest/gateway';
import { nestLogger, type AllInOneConfig } from '@palimpsest/host';
import type { Logger } from '@palimpsest/kernel';
import { WorkerTokenCounter } from '@palimpsest/tokens';
import type { Pool } from 'pg';
import { hostKeyFor } from './host-key.js';
import { postgresFolder } from './local-database.js';
import { countOwnWorkflows, definitionFailure } from './own-workflows.js';
import { serviceModules } from './service-modules.js';

export type AllInOneOptions = {
  readonly config: AllInOneConfig;
  readonly logger: Logger;
  /** True: the embedded database is removed at the end. */
  readonly temporary?: boolean;
};

export type AllInOne = {
  /** Of the gateway, e.g. `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Of the operator's folder, in force; the fixtures are not among them. */
  readonly workflows: number;
  /** Makes an API key of the tenant `default`; its text is known to the caller only. */
  createKey(name: string): Promise<string>;
  close(): Promise<void>;
};

type Closer = () => Promise<void>;

/**
 * Runs every service in this process, on an embedded Postgres where the configuration names none.
 * @throws ConfigurationError for workflows that cannot be used
 */
export async function startAllInOne(options: AllInOneOptions): Promise<AllInOne> {
  const workflows = await countOwnWorkflows(options.config);
  const closers: Closer[] = [];
  const close: Closer = async () => {
    for (let last = closers.pop(); last; last = closers.pop()) await last();
  };
  try {
    const pool = await openDatabase(options, closers);
    const url = await openServices(options, pool, closers);
    const database = createDatabase<GatewayTables>(pool);
    const createKey = async (name: string): Promise<string> =>
      (await createApiKey(database, { tenantId: 'default', name })).key;
    return { url, workflows, createKey, close };
  } catch (error) {
    await close();
    throw definitionFailure(error, options.config);
  }
}

async function openDatabase(
  { config, logger, temporary }: AllInOneOptions,
  closers: Closer[],
): Promise<Pool> {
  let url = config.databaseUrl;
  if (url === undefined) {
    const server = await startEmbeddedPostgres({
      persistent: !temporary,
      // What is removed at the end need not survive a power cut.
      durable: !temporary,
      dataDir: postgresFolder(config.dataDirectory),
      logger,
    });
    closers.push(() => server.stop());
    url = server.url;
  }
  const pool = createPool(url, {
    applicationName: 'palimpsest',
    maxConnections: config.databasePoolSize,
    logger,
  });
  closers.push(() => pool.end());
  await runMigrations(pool, migrationSets);
  return pool;
}

@Module({})
class AllInOneModule {}

async function openServices(
  { config, logger }: AllInOneOptions,
  pool: Pool,
  closers: Closer[],
): Promise<string> {
  const bus = new InProcessBus({ store: new PostgresStreamStore(pool), logger });
  const tokens = new WorkerTokenCounter();
  closers.push(
    () => bus.close(),
    () => tokens.close(),
  );
  const root: DynamicModule = {
    module: AllInOneModule,
    imports: serviceModules({ config, pool, bus, tokens, hostKey: hostKeyFor(config), logger }),
  };
  const app = await createGatewayApp(root, {
    frameworkLogger: nestLogger(logger),
    trustedProxies: config.trustedProxies,
  });
  closers.push(
    () => app.close(),
    () => drainRequests(app),
  );
  await app.listen({ port: config.port, host: config.host });
  return app.getUrl();
}
