import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { waitUntil } from '@palimpsest/kernel/testing';
import {
  EmbeddedPostgresError,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from './index.js';
import { readLockFile } from './lock-file.js';

// The one spec that starts servers of its own; nothing listens on them but this file.
describe('startEmbeddedPostgres', () => {
  let parent: string;
  let dataDir: string;
  let server: EmbeddedPostgres | undefined;

  beforeEach(() => {
    // Nobody but the owner may enter the folder above the data, as in many clones.
    parent = mkdtempSync(join(tmpdir(), 'palimpsest-spec-'));
    dataDir = join(parent, 'postgres');
  });

  afterEach(async () => {
    await server?.stop();
    rmSync(parent, { recursive: true, force: true });
  });

  const start = async (options: { port?: number } = {}): Promise<EmbeddedPostgres> =>
    (server = await startEmbeddedPostgres({ dataDir, persistent: true, durable: false, ...options }));

  test('keeps persistent data over a restart and runs on the loopback address only', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept (n int)');
    await query(first.url, 'INSERT INTO kept VALUES (42)');
    await first.stop();
    const second = await start();
    expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
    expect(await query(second.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await query(second.url, 'SHOW unix_socket_directories')).toEqual([
      { unix_socket_directories: '' },
    ]);
  });

  test('is found by its data folder while it runs', async () => {
    expect(findEmbeddedPostgres(dataDir)).toBeUndefined();
    const { url, stop } = await start();
    expect(findEmbeddedPostgres(dataDir)).toBe(url);
    await stop();
    expect(findEmbeddedPostgres(dataDir)).toBeUndefined();
    writeFileSync(
      join(dataDir, 'data', 'postmaster.pid'),
      [process.pid, dataDir, 0, 5432, '', '', '', 'ready'].join('\n'),
    );
    expect(findEmbeddedPostgres(dataDir)).toBeUndefined();
  });

  test('refuses a login without the password of the data folder', async () => {
    const { url } = await start();
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toMatchObject({
      code: '28P01',
    });
  });

  test('removes temporary data when it stops', async () => {
    server = await startEmbeddedPostgres({ dataDir, persistent: false, durable: false });
    expect(readdirSync(dataDir)).toHaveLength(1);
    await server.stop();
    expect(readdirSync(dataDir)).toEqual([]);
    await server.stop();
  });

  test('starts over a lock file whose process id belongs to somebody else now', async () => {
    await (await start()).stop();
    writeFileSync(join(dataDir, 'data', 'postmaster.pid'), `${process.pid}\n${dataDir}\n`);
    expect(await query((await start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('recovers from a crash of the server', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE survived ()');
    process.kill(readLockFile(join(dataDir, 'data'))?.pid ?? 0, 'SIGKILL');
    await first.stop();
    expect(await query((await start()).url, 'SELECT count(*)::int AS n FROM survived')).toEqual([{ n: 0 }]);
  });

  test('is started again, where it was, when it ends by itself', async () => {
    const { url } = await start();
    await query(url, 'CREATE TABLE survived ()');
    process.kill(readLockFile(join(dataDir, 'data'))?.pid ?? 0, 'SIGKILL');
    const count = (): Promise<unknown[]> => query(url, 'SELECT count(*)::int AS n FROM survived');
    const rows = await waitUntil(() => count().catch(() => undefined), { withinMs: 20_000 });
    expect(rows).toEqual([{ n: 0 }]);
  });

  test('says which folder is taken where a server runs on it', async () => {
    await start();
    await expect(startEmbeddedPostgres({ dataDir, persistent: true })).rejects.toThrow(
      /A server is already running on .*postgres/,
    );
  });

  test('says why it did not start where its port is taken', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const { port } = occupant.address() as { port: number };
    const failure = await start({ port }).catch((error: unknown) => error);
    occupant.close();
    expect(failure).toBeInstanceOf(EmbeddedPostgresError);
    expect(failure).toMatchObject({ message: expect.stringContaining('could not bind') as string });
  });

  test('refuses data of another major version', async () => {
    await (await start()).stop();
    writeFileSync(join(dataDir, 'data', 'PG_VERSION'), '9\n');
    await expect(start()).rejects.toThrow(/made by Postgres 9/);
  });

  test('wants a data folder for persistent data', async () => {
    await expect(startEmbeddedPostgres({ persistent: true })).rejects.toBeInstanceOf(EmbeddedPostgresError);
  });

  test('stops the server when its owner is killed', async () => {
    const logFile = join(parent, 'log');
    const owner = spawn(process.execPath, ['--input-type=module', '-e', OWNER], {
      env: { SUPERVISOR: join(import.meta.dirname, '../supervisor.mjs'), LOG: logFile },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(owner.stdout, 'data')) as [Buffer];
    const pid = Number(/pid (\d+)/.exec(said.toString())?.[1]);
    expect(isAlive(pid)).toBe(true);
    owner.kill('SIGKILL');
    await waitUntil(() => !isAlive(pid));
    expect(existsSync(logFile)).toBe(true);
  });
});

/** Holds a process that never ends by itself, as a server's owner does. */
const OWNER = `
  import { spawn } from 'node:child_process';
  const order = {
    command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'],
    logFile: process.env.LOG, stopSignals: ['SIGINT'], graceMs: 1000,
  };
  const held = spawn(process.execPath, [process.env.SUPERVISOR, JSON.stringify(order)], {
    detached: true, stdio: ['pipe', 'pipe', 'ignore'],
  });
  held.stdout.pipe(process.stdout);
`;

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
