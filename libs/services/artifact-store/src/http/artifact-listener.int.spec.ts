import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { HttpArtifactStore } from '@palimpsest/adapter-clients';
import { MemoryArtifactStore } from '@palimpsest/adapter-memory';
import { artifactStoreMigrations, PostgresArtifactStore } from '@palimpsest/adapter-postgres';
import { createTestDatabase } from '@palimpsest/adapter-postgres/testing';
import { silentLogger, type ArtifactStore } from '@palimpsest/kernel';
import { artifactStoreContract, testTenantKey } from '@palimpsest/kernel/testing';
import { createArtifactListener } from './create-artifact-listener.js';

const SERVICE_TOKEN = 'a-service-token-for-specs';
const UNAVAILABLE = { code: 'service_unavailable', retryable: true };

const DAMAGE = `
UPDATE artifact_store.artifacts SET content = set_byte(content, 3, get_byte(content, 3) # 1)
WHERE tenant_id = $1 AND artifact_id = $2`;

async function serve(store: ArtifactStore, serviceToken = SERVICE_TOKEN, port = 0) {
  const listener = createArtifactListener({ store, serviceToken: SERVICE_TOKEN, logger: silentLogger });
  const baseUrl = await listener.listen('127.0.0.1', port);
  return { listener, baseUrl, client: new HttpArtifactStore({ baseUrl, serviceToken }) };
}

artifactStoreContract('HTTP client, listener and Postgres', async () => {
  const database = await createTestDatabase([artifactStoreMigrations]);
  const { listener, client } = await serve(
    new PostgresArtifactStore(database.pool, { newTenantKey: testTenantKey }),
  );
  return {
    store: client,
    damage: async (tenantId, artifactId) => {
      await database.pool.query(DAMAGE, [tenantId, artifactId]);
    },
    close: async () => {
      await client.close();
      await listener.close();
      await database.drop();
    },
  };
});

describe('HttpArtifactStore', () => {
  const message = (text: string) => ({ type: 'message' as const, content: text });

  /** A server that only takes connections. */
  async function takeConnections(onConnection: (socket: Socket) => void) {
    const server = createServer(onConnection);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { server, baseUrl: `http://127.0.0.1:${port}` };
  }

  it('sends a put above the limits as several', async () => {
    const { client, listener } = await serve(new MemoryArtifactStore());
    const many = Array.from({ length: 1001 }, (_, index) => message(`${index}`));
    const large = Array.from({ length: 3 }, (_, index) => message(`${index}`.repeat(11 * 2 ** 20)));
    const ids = await client.put('t', 'run', [...many, ...large]);
    expect(new Set(ids).size).toBe(1004);
    expect((await client.get('t', ids)).size).toBe(1004);
    await client.close();
    await listener.close();
  });

  it('says unavailable at once where nobody listens, and recovers when somebody does', async () => {
    const store = new MemoryArtifactStore();
    const { client, listener, baseUrl } = await serve(store);
    const [id] = await client.put('t', 'run', [message('x')]);
    await listener.close();
    await expect(client.get('t', [id ?? ''])).rejects.toMatchObject(UNAVAILABLE);
    await expect(client.put('t', 'run', [message('y')])).rejects.toMatchObject(UNAVAILABLE);
    const again = await serve(store, SERVICE_TOKEN, Number(new URL(baseUrl).port));
    expect((await client.get('t', [id ?? ''])).size).toBe(1);
    await Promise.all([client.close(), again.client.close(), again.listener.close()]);
  });

  it('says unavailable where a server takes the connection and is silent', async () => {
    const sockets: Socket[] = [];
    const { server, baseUrl } = await takeConnections((socket) => sockets.push(socket));
    const timeouts = { connectMs: 100, responseMs: 100 };
    const client = new HttpArtifactStore({ baseUrl, serviceToken: SERVICE_TOKEN, timeouts });
    await expect(client.getForRun('t', 'run', `art_${'A'.repeat(32)}`)).rejects.toMatchObject(UNAVAILABLE);
    sockets.forEach((socket) => socket.destroy());
    server.close();
    await client.close();
  });

  it('repeats a request whose connection was lost', async () => {
    const { client: direct, listener, baseUrl } = await serve(new MemoryArtifactStore());
    const { port } = new URL(baseUrl);
    let lost = 0;
    const proxy = await takeConnections((socket) => {
      if (lost++ === 0) socket.once('data', () => socket.resetAndDestroy());
      else forward(socket, Number(port));
    });
    const client = new HttpArtifactStore({ baseUrl: proxy.baseUrl, serviceToken: SERVICE_TOKEN });
    expect(await client.put('t', 'run', [message('x')])).toHaveLength(1);
    expect(lost).toBe(2);
    await client.close();
    await direct.close();
    proxy.server.close();
    await listener.close();
  });

  it('takes an answer that was cut off, or is not the store’s, for what it is', async () => {
    const cut =
      'HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\nconnection: close\r\n\r\n{"reading":{"artifactId":"x"}}\n';
    const foreign = 'HTTP/1.1 404 Not Found\r\ncontent-length: 9\r\n\r\nNot Found';
    for (const [answer, code] of [
      [cut, 'service_unavailable'],
      [foreign, 'internal_error'],
    ] as const) {
      const { server, baseUrl } = await takeConnections((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.end(answer));
      });
      const client = new HttpArtifactStore({ baseUrl, serviceToken: SERVICE_TOKEN });
      const id = `art_${'A'.repeat(32)}`;
      await expect(client.getForRun('t', 'run', id)).rejects.toMatchObject({ code });
      await expect(client.get('t', [id])).rejects.toMatchObject({ code });
      await client.close();
      server.close();
    }
  });

  it('refuses with a wrong token', async () => {
    const { client, listener } = await serve(new MemoryArtifactStore(), 'another-service-token');
    const unauthenticated = { code: 'unauthenticated', retryable: false };
    for (const size of [1, 8 * 2 ** 20])
      await expect(client.put('t', 'run', [message('x'.repeat(size))])).rejects.toMatchObject(
        unauthenticated,
      );
    await expect(client.erase('t', `art_${'A'.repeat(32)}`)).rejects.toMatchObject(unauthenticated);
    await client.close();
    await listener.close();
  });

  it('keeps the class of an error, also of one that comes after the first readings', async () => {
    const failing = new MemoryArtifactStore();
    const ids = await failing.put(
      't',
      'run',
      Array.from({ length: 40 }, (_, index) => message(`${index}`)),
    );
    failing.damage('t', ids[39] ?? '');
    const { client, listener } = await serve(failing);
    await expect(client.get('t', ids)).rejects.toMatchObject({
      code: 'internal_error',
      retryable: false,
      details: { artifactId: ids[39], reason: 'artifact_corrupt' },
    });
    expect((await client.get('t', ids.slice(0, 39))).size).toBe(39);
    await client.close();
    await listener.close();
  });
});

function forward(socket: Socket, port: number): void {
  const upstream = connect(port, '127.0.0.1');
  socket.pipe(upstream).pipe(socket);
  for (const end of [socket, upstream]) end.on('error', () => undefined);
}
