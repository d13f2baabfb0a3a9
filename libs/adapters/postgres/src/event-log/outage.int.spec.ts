import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { hasCode, LOG_START } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { createPool } from '../connection/create-pool.js';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { runLogMigrations } from './migrations.js';
import { PostgresEventLog } from './postgres-event-log.js';

const start = {
  tenantId: 'tenant',
  runId: 'run',
  expectedHead: 'no-run',
  workflowId: 'w',
  events: [{ type: 'test.noted', payload: {}, schemaVersion: 1 }],
  at: new Date(0),
} as const;

/** The road to the server, which can be cut and mended. */
class Road {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  port = 0;

  constructor(private readonly target: URL) {}

  async mend(): Promise<void> {
    const server = createServer((near) => {
      const far = connect(Number(this.target.port || 5432), this.target.hostname);
      near.pipe(far).pipe(near);
      for (const socket of [near, far]) this.sockets.add(socket.on('error', () => undefined));
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
    await closed;
  }
}

describe('a run log whose database goes away', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase([runLogMigrations]);
  });
  afterAll(() => database.drop());

  it('says so, and goes on by itself when the database is back', async () => {
    const url = new URL(database.url);
    const road = new Road(new URL(database.url));
    await road.mend();
    url.host = `127.0.0.1:${road.port}`;
    const pool = createPool(url.href, { applicationName: 'spec', connectTimeoutMs: 20_000 });
    const log = new PostgresEventLog(pool, { pollIntervalMs: 10, retryBaseMs: 5, retryMaxMs: 20 });
    const seen: string[] = [];
    const subscription = log.subscribe(LOG_START, async (batch) => {
      seen.push(...batch.map(({ event }) => event.eventId));
    });
    await log.append(start);
    await waitUntil(() => seen.length === 1);

    await road.cut();
    const asked = [
      log.append({ ...start, runId: 'other' }),
      log.header('tenant', 'run'),
      log.listRuns({ tenantId: 'tenant', limit: 1 }),
      log.readRun({ tenantId: 'tenant', runId: 'run', fromSequence: 0 }),
      log.readAll(LOG_START, 1),
    ];
    for (const answer of await Promise.allSettled(asked))
      expect(answer).toMatchObject({ reason: { code: 'service_unavailable', retryable: true } });

    await road.mend();
    // A connection that broke unnoticed may fail one more request; the command id makes asking again safe.
    const again = { ...start, expectedHead: 0, commandId: 'again' };
    await waitUntil(() =>
      log.append(again).catch((error: unknown) => !hasCode(error, 'service_unavailable')),
    );
    await waitUntil(() => seen.length === 2);
    expect(seen).toEqual(['evt-run-0', 'evt-run-1']);
    await subscription.close();
    await pool.end();
    await road.cut();
  });
});
