import { createDatabase } from '@palimpsest/adapter-postgres';
import { createTestDatabase } from '@palimpsest/adapter-postgres/testing';
import { createTestNatsServer, freePort } from '@palimpsest/adapter-nats/testing';
import { TRUSTED_KEYS } from '@palimpsest/context-efficiency/testing';
import { createApiKey, type GatewayTables } from '@palimpsest/gateway';
import type { Pool } from 'pg';
import { ApiClient } from './api-client.js';
import { BusTap } from './bus-tap.js';
import { Closers } from './closers.js';
import { Cluster } from './cluster.js';
import { makeHostKeyFile } from './host-key.js';
import { ServiceProcess, type LogLine, type Variables } from './service-process.js';

/** A running Palimpsest, as its user and its operator meet it. */
export type Deployment = {
  readonly api: ApiClient;
  /** Of the gateway. */
  readonly url: string;
  readonly key: string;
  /** For looking into the database from outside. */
  readonly pool: Pool;
  logLines(): readonly (LogLine & { readonly app: string })[];
  stop(): Promise<void>;
};

export type SplitDeployment = Deployment & { readonly cluster: Cluster; readonly tap: BusTap };

/**
 * Debug lines too: no level may say more than it should. A patient assembler: its summaries are the workers'. Fixtures
 * everywhere, as where all is one process.
 */
const VARIABLES = {
  PALIMPSEST_LOG_LEVEL: 'debug',
  PALIMPSEST_SUMMARY_DEADLINE_MS: '20000',
  PALIMPSEST_CONFORMANCE_FIXTURES: 'true',
  PALIMPSEST_LEASE_SWEEP_MS: '200',
  KNOWZCODE_TRUSTED_MEASUREMENT_KEYS: TRUSTED_KEYS,
};

/** Every service apart, two summarizer workers, on a NATS server of its own. */
export function startSplit(variables: Variables = VARIABLES): Promise<SplitDeployment> {
  return Closers.around(async (closers) => {
    const database = await createTestDatabase([]);
    closers.add(() => database.drop());
    const nats = await createTestNatsServer();
    closers.add(() => nats.remove());
    const tap = await BusTap.open(nats.url);
    closers.add(() => tap.close());
    const hostKey = makeHostKeyFile();
    closers.add(() => hostKey.remove());
    const cluster = await Cluster.start({
      databaseUrl: database.url,
      natsUrl: nats.url,
      workers: 2,
      variables: { PALIMPSEST_HOST_KEY_FILE: hostKey.path, ...variables },
    });
    closers.add(() => cluster.stop());
    return {
      cluster,
      tap,
      api: new ApiClient(cluster.url, cluster.key),
      url: cluster.url,
      key: cluster.key,
      pool: cluster.pool,
      logLines: () => cluster.logLines(),
      stop: () => closers.close(),
    };
  });
}

export type AllInOneDeployment = Deployment & {
  /** Ends the process; where a signal is given, with that. Resolves with its exit code, `null` after a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** On the same port and database. */
  startAgain(): Promise<void>;
  process(): ServiceProcess;
};

/** Every service in one process. */
export function startAllInOne(variables: Variables = VARIABLES): Promise<AllInOneDeployment> {
  return Closers.around(async (closers) => {
    const database = await createTestDatabase([]);
    closers.add(() => database.drop());
    const hostKey = makeHostKeyFile();
    closers.add(() => hostKey.remove());
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const processes: ServiceProcess[] = [];
    const current = () => processes.at(-1) as ServiceProcess;
    const startAgain = async () => {
      const started = new ServiceProcess('all-in-one', {
        PALIMPSEST_HOST_KEY_FILE: hostKey.path,
        ...variables,
        DATABASE_URL: database.url,
        PALIMPSEST_PORT: String(port),
      });
      processes.push(started);
      await started.until('it is ready', () => started.logged('Ready').length > 0);
    };
    closers.add(() => current().end('SIGKILL'));
    await startAgain();
    const gateway = createDatabase<GatewayTables>(database.pool);
    const { key } = await createApiKey(gateway, { tenantId: 'default', name: 'e2e' });
    return {
      api: new ApiClient(url, key),
      url,
      key,
      pool: database.pool,
      process: current,
      logLines: () => processes.flatMap(({ app, lines }) => lines.map((line) => ({ app, ...line }))),
      end: async (signal) => {
        await current().end(signal);
        return current().exitCode;
      },
      startAgain,
      stop: () => closers.close(),
    };
  });
}
