import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@palimpsest/adapter-embedded-postgres';
import { createTestNatsServer, freePort, type TestNatsServer } from '@palimpsest/adapter-nats/testing';
import { ApiClient } from './api-client.js';
import { Closers } from './closers.js';
import { Cluster } from './cluster.js';

/** A cluster on servers that may be stopped and started again. */
export type FaultBench = {
  readonly cluster: Cluster;
  readonly nats: TestNatsServer;
  readonly postgres: RestartablePostgres;
  readonly api: ApiClient;
  stop(): Promise<void>;
};

export type RestartablePostgres = {
  readonly url: string;
  stop(): Promise<void>;
  /** On the same port, with the same data. */
  start(): Promise<void>;
};

/** Short waits, so that a fault is over soon: a lease that a crash left behind, a window without workers. */
export const HASTY = {
  PALIMPSEST_LOG_LEVEL: 'info',
  PALIMPSEST_IDEMPOTENCY_LEASE_MS: '1000',
  PALIMPSEST_SUMMARY_DEADLINE_MS: '1000',
};

export function startFaultBench(): Promise<FaultBench> {
  return Closers.around(async (closers) => {
    const postgres = await startRestartablePostgres(closers);
    const nats = await createTestNatsServer();
    closers.add(() => nats.remove());
    const cluster = await Cluster.start({
      databaseUrl: postgres.url,
      natsUrl: nats.url,
      workers: 2,
      variables: HASTY,
    });
    closers.add(() => cluster.stop());
    const api = new ApiClient(cluster.url, cluster.key);
    return { cluster, nats, postgres, api, stop: () => closers.close() };
  });
}

async function startRestartablePostgres(closers: Closers): Promise<RestartablePostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'palimpsest-faults-'));
  closers.add(() => rm(dataDir, { recursive: true, force: true }));
  const port = await freePort();
  const start = () => startEmbeddedPostgres({ persistent: true, dataDir, port, durable: false });
  let server: EmbeddedPostgres = await start();
  closers.add(() => server.stop());
  return {
    url: server.url,
    stop: () => server.stop(),
    start: async () => {
      server = await start();
    },
  };
}
