import { InProcessBus } from '@palimpsest/adapter-memory';
import { createPool, PostgresStreamStore } from '@palimpsest/adapter-postgres';
import type { MessageBus } from '@palimpsest/kernel';

export type LocalBusOptions = {
  readonly databaseUrl: string;
  /** Shown in the server's list of connections. */
  readonly name: string;
};

/**
 * The streams of an all-in-one from beside it: what is published is taken within seconds, dead letters are the same.
 * Requests and wake-ups do not reach it.
 */
export async function withLocalBus<Result>(
  { databaseUrl, name }: LocalBusOptions,
  work: (bus: MessageBus) => Promise<Result>,
): Promise<Result> {
  const pool = createPool(databaseUrl, { applicationName: name, maxConnections: 1 });
  const bus = new InProcessBus({ store: new PostgresStreamStore(pool) });
  try {
    return await work(bus);
  } finally {
    await bus.close();
    await pool.end();
  }
}
