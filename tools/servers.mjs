// Real servers for tests and measurements: those that TEST_DATABASE_URL and TEST_NATS_URL name, else our own on
// free ports. A server that merely listens somewhere is never used: it may be somebody's.
import { fail, progress } from './console.mjs';
import { HOW_TO_GET_NATS, startNats } from './nats.mjs';

/**
 * `{ env, stop() }`: `env` names the servers for the programs that use them; TEST_NATS_SERVER_BIN is the program of
 * our NATS server, for specs that start and kill one of their own (absent where it runs in a container).
 */
export async function startServers({ durable = false } = {}) {
  const started = [];
  const stop = async () => void (await Promise.allSettled(started.map((server) => server.stop())));
  const env = {
    TEST_DATABASE_URL: process.env.TEST_DATABASE_URL,
    TEST_NATS_URL: process.env.TEST_NATS_URL,
    TEST_NATS_SERVER_BIN: process.env.TEST_NATS_SERVER_BIN,
  };
  try {
    if (!env.TEST_NATS_URL) {
      const nats = await startNats();
      if (!nats) fail(HOW_TO_GET_NATS);
      started.push(nats);
      env.TEST_NATS_URL = nats.url;
      env.TEST_NATS_SERVER_BIN ??= nats.binary;
    }
    if (!env.TEST_DATABASE_URL) {
      progress('starting Postgres');
      const postgres = await startPostgres(durable);
      started.push(postgres);
      env.TEST_DATABASE_URL = postgres.url;
    }
  } catch (error) {
    await stop();
    fail(error.message);
  }
  return { env, stop };
}

/** Imported late: the build must be there first. */
async function startPostgres(durable) {
  const { startEmbeddedPostgres } = await import('../libs/adapters/embedded-postgres/dist/index.js');
  return startEmbeddedPostgres({ persistent: false, durable });
}
