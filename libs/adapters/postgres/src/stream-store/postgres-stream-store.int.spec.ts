import { InProcessBus } from '@palimpsest/adapter-memory';
import type { MessageBus } from '@palimpsest/kernel';
import { messageBusContract, streamStoreContract } from '@palimpsest/kernel/testing';
import { createTestDatabase } from '../testing/test-database.js';
import { BUS_MIGRATIONS } from './bus-migrations.js';
import { PostgresStreamStore } from './postgres-stream-store.js';

streamStoreContract('Postgres', async () => {
  const database = await createTestDatabase([BUS_MIGRATIONS]);
  return { store: new PostgresStreamStore(database.pool), close: () => database.drop() };
});

messageBusContract('in process, on Postgres', async () => {
  const database = await createTestDatabase([BUS_MIGRATIONS]);
  return {
    maxBodyBytes: 1024 * 1024,
    // Each bus has a store of its own: what survives a restart stands in the database.
    connect: async () => new InProcessBus({ store: new PostgresStreamStore(database.pool) }),
    connectBeside: async (bus: MessageBus) => bus,
    removeStream: async () => undefined,
    close: () => database.drop(),
  };
});
