import { createDatabase } from '@palimpsest/adapter-postgres';
import { createTestDatabase } from '@palimpsest/adapter-postgres/testing';
import { createTestNatsServer } from '@palimpsest/adapter-nats/testing';
import { handOffUntil, LoopBrain, startWireServer, type WireServer } from '@palimpsest/adapter-model/testing';
import { createApiKey, type GatewayTables } from '@palimpsest/gateway';
import type { Pool } from 'pg';
import { Closers, Cluster, startAllInOne, type Variables } from '@palimpsest/e2e';
import type { Host } from './client/host.js';

/** What a host of ours needs to show every row, with the model that decides the turns of its live loop. */
function variablesFor(model: WireServer): Variables {
  return {
    PALIMPSEST_LOG_LEVEL: 'info',
    OPENWOP_TEST_SEAM_ENABLED: 'true',
    PALIMPSEST_CONFORMANCE_FIXTURES: 'true',
    PALIMPSEST_MODEL_PROVIDER: 'openai-compatible',
    PALIMPSEST_MODEL_BASE_URL: model.baseUrl,
    PALIMPSEST_MODEL_NAME: 'scripted',
    PALIMPSEST_ADVERTISE_CONTEXT_BUDGET: 'true',
    PALIMPSEST_DEFAULT_COUNTER: 'chars',
    PALIMPSEST_DEFAULT_BUDGET: '520',
    PALIMPSEST_DEFAULT_KEEP_LAST_TURNS: '2',
  };
}

/** Turns enough for the budget to bite. */
const LIVE_TURNS = 9;

function startModel(): Promise<WireServer> {
  const brain = new LoopBrain({ decide: handOffUntil(LIVE_TURNS, 'conformance-noop') });
  return startWireServer({ respond: brain.respond });
}

export type OwnHost = { stop(): Promise<void> };

export function startOwnAllInOne(host: Host): Promise<OwnHost> {
  return Closers.around(async (closers) => {
    const model = await startModel();
    closers.add(() => model.close());
    const running = await startAllInOne(variablesFor(model));
    closers.add(() => running.stop());
    const { key: testKey } = await createTestKey(running.pool);
    host.moveTo({ baseUrl: running.api.url, apiKey: running.key, testKey });
    host.restart = async () => {
      await running.end('SIGKILL');
      await running.startAgain();
    };
    return { stop: () => closers.close() };
  });
}

/** Every service a process of its own, on a NATS server of its own. */
export function startOwnSplit(host: Host): Promise<OwnHost> {
  return Closers.around(async (closers) => {
    const database = await createTestDatabase([]);
    closers.add(() => database.drop());
    const nats = await createTestNatsServer();
    closers.add(() => nats.remove());
    const model = await startModel();
    closers.add(() => model.close());
    const cluster = await Cluster.start({
      databaseUrl: database.url,
      natsUrl: nats.url,
      variables: variablesFor(model),
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
