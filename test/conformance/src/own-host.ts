import { createDatabase } from '@palimpsest/adapter-postgres';
import { createTestDatabase } from '@palimpsest/adapter-postgres/testing';
import { createTestNatsServer } from '@palimpsest/adapter-nats/testing';
import { createApiKey, type GatewayTables } from '@palimpsest/gateway';
import type { Pool } from 'pg';
import { Closers, Cluster, startAllInOne } from '@palimpsest/e2e';
import type { Host } from './client/host.js';

/** What a host of ours needs to show every row. */
const VARIABLES = {
  PALIMPSEST_LOG_LEVEL: 'info',
  OPENWOP_TEST_SEAM_ENABLED: 'true',
  PALIMPSEST_CONFORMANCE_FIXTURES: 'true',
};

export type OwnHost = { stop(): Promise<void> };

export async function startOwnAllInOne(host: Host): Promise<OwnHost> {
  const running = await startAllInOne(VARIABLES);
  const { key: testKey } = await createTestKey(running.pool);
  host.moveTo({ baseUrl: running.api.url, apiKey: running.key, testKey });
  host.restart = async () => {
    await running.end('SIGKILL');
    await running.startAgain();
  };
  return running;
}

/** Every service a process of its own, on a NATS server of its own. */
export function startOwnSplit(host: Host): Promise<OwnHost> {
  return Closers.around(async (closers) => {
    const database = await createTestDatabase([]);
    closers.add(() => database.drop());
    const nats = await createTestNatsServer();
    closers.add(() => nats.remove());
    const cluster = await Cluster.start({
      databaseUrl: database.url,
      natsUrl: nats.url,
      variables: VARIABLES,
    });
    closers.add(() => cluster.stop());
    const { key: testKey } = await createTestKey(cluster.pool);
    host.moveTo({ baseUrl: cluster.url, apiKey: cluster.key, testKey });
    host.restart = async () => {
      await cluster.killAll();
      await cluster.addAll();
    };
    return { stop: () => closers.close() };
  });
}

/** Of a tenant of its own: test keys and live keys never share one (host specification §2.1). */
function createTestKey(pool: Pool): Promise<{ readonly key: string }> {
  const database = createDatabase<GatewayTables>(pool);
  return createApiKey(database, { tenantId: 'conformance-tester', name: 'conformance', kind: 'test' });
}
