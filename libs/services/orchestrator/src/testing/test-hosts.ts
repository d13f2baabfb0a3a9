import { InProcessBus } from '@palimpsest/adapter-memory';
import { connectNatsBus } from '@palimpsest/adapter-nats';
import { createTestNatsServer } from '@palimpsest/adapter-nats/testing';
import {
  BUS_MIGRATIONS,
  PostgresEventLog,
  PostgresStreamStore,
  runLogMigrations,
} from '@palimpsest/adapter-postgres';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { wakeRunSubject } from '@palimpsest/contracts';
import { silentLogger, type MessageBus } from '@palimpsest/kernel';
import { orchestratorMigrations } from '../store/migrations.js';
import { PostgresDefinitionStore } from '../store/postgres-definition-store.js';
import { PostgresInvocationStore } from '../store/postgres-invocation-store.js';
import { PostgresTimerStore } from '../store/postgres-timer-store.js';
import { WorkflowHarness } from './workflow-harness.js';

export type TestHost = {
  readonly database: TestDatabase;
  readonly bus: MessageBus;
  harness(): WorkflowHarness;
  close(): Promise<void>;
};

type OpenBus = (database: TestDatabase) => Promise<{ bus: MessageBus; close: () => Promise<void> }>;

const inProcess: OpenBus = (database) => {
  const bus = new InProcessBus({ store: new PostgresStreamStore(database.pool) });
  return Promise.resolve({ bus, close: () => bus.close() });
};

/** A server of the spec's own: streams have fixed names. */
const onNats: OpenBus = async () => {
  const server = await createTestNatsServer();
  const bus = await connectNatsBus({ url: server.url, name: 'spec', logger: silentLogger });
  const close = async () => {
    await bus.close();
    await server.remove();
  };
  return { bus, close };
};

/** A real database with each of the buses. */
export const TEST_HOSTS: readonly [string, () => Promise<TestHost>][] = [
  ['in one process', () => openHost(inProcess)],
  ['over NATS', () => openHost(onNats)],
];

async function openHost(openBus: OpenBus): Promise<TestHost> {
  const database = await createTestDatabase([runLogMigrations, orchestratorMigrations, BUS_MIGRATIONS]);
  const { bus, close } = await openBus(database);
  const stores = {
    eventLog: new PostgresEventLog(database.pool, {
      onGrown: ({ tenantId, runId }) => bus.notify(wakeRunSubject(tenantId, runId), null),
    }),
    bus,
    definitions: new PostgresDefinitionStore(database.pool),
    timers: new PostgresTimerStore(database.pool),
    invocations: new PostgresInvocationStore(database.pool),
  };
  return {
    database,
    bus,
    harness: () => new WorkflowHarness(stores),
    close: async () => {
      await close();
      await database.drop();
    },
  };
}
