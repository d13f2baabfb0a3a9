import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { createPool } from './create-pool.js';
import { withDatabaseErrors } from './database-errors.js';

const UNAVAILABLE = { code: 'service_unavailable', retryable: true };

describe('a database that cannot be asked', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase([]);
  });
  afterAll(() => database.drop());

  const ask = (sql: string, pool = database.pool) => withDatabaseErrors(() => pool.query(sql));

  async function freePort(): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }

  it('is unavailable where nobody listens', async () => {
    const pool = createPool(`postgres://postgres@127.0.0.1:${await freePort()}/x`, {
      applicationName: 'spec',
    });
    await expect(ask('SELECT 1', pool)).rejects.toMatchObject(UNAVAILABLE);
    await pool.end();
  });

  it('is unavailable where the server takes the connection and says nothing', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const pool = createPool(`postgres://postgres@127.0.0.1:${port}/x`, {
      applicationName: 'spec',
      connectTimeoutMs: 50,
    });
    await expect(ask('SELECT 1', pool)).rejects.toMatchObject(UNAVAILABLE);
    await pool.end();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is unavailable when the session is ended under a statement, and is back with the next', async () => {
    await expect(ask('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toMatchObject(UNAVAILABLE);
    await expect(ask('SELECT 1 AS one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
  });

  it('survives the end of a session that is checked out and silent', async () => {
    const client = await database.pool.connect();
    const lost = new Promise((resolve) => client.once('error', resolve));
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await ask(`SELECT pg_terminate_backend(${rows[0]?.pid})`);
    await lost;
    await expect(withDatabaseErrors(() => client.query('SELECT 1'))).rejects.toMatchObject(UNAVAILABLE);
    client.release(true);
  });

  it('is unavailable after a statement timeout, when no connection is free, and after the end', async () => {
    const pool = createPool(database.url, {
      applicationName: 'spec',
      maxConnections: 1,
      statementTimeoutMs: 50,
      // Long enough for a connection on a busy machine; whoever waits for the only one waits as long.
      connectTimeoutMs: 3000,
    });
    await expect(ask('SELECT pg_sleep(5)', pool)).rejects.toMatchObject(UNAVAILABLE);
    const client = await pool.connect();
    await expect(ask('SELECT 1', pool)).rejects.toMatchObject(UNAVAILABLE);
    client.release();
    await pool.end();
    await expect(ask('SELECT 1', pool)).rejects.toMatchObject(UNAVAILABLE);
  });

  it('leaves an error of the statement as it is', async () => {
    await expect(ask('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
  });

  it('reads bigint as a string', async () => {
    const { rows } = await database.pool.query('SELECT 9007199254740993::bigint AS position');
    expect(rows).toEqual([{ position: '9007199254740993' }]);
  });
});
