import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchWithin } from './guarded-fetch.js';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('an answer of a provider', () => {
  it('is read up to its bound', async () => {
    const url = await serve(
      (_, response) => void response.writeHead(201, { 'x-a': 'b' }).end('x'.repeat(64)),
    );
    const answer = await fetchWithin(64)(url);
    expect([answer.status, answer.headers.get('x-a')]).toEqual([201, 'b']);
    expect(await answer.text()).toBe('x'.repeat(64));
    await expect(fetchWithin(63)(url).then((more) => more.text())).rejects.toMatchObject({
      code: 'service_unavailable',
      details: { limitBytes: 63 },
    });
  });

  it('that does not end is given up, with its connection', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const url = await serve((_, response) => {
      closed = once(response, 'close');
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(1024)));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    });
    const answer = await fetchWithin(100_000)(url);
    await expect(answer.text()).rejects.toMatchObject({ code: 'service_unavailable' });
    await closed;
  });

  it('may have no body, and is not followed elsewhere', async () => {
    const url = await serve((_, response) => void response.writeHead(204).end());
    expect((await fetchWithin(1)(url)).status).toBe(204);
    const moved = await serve((_, response) => void response.writeHead(302, { location: url }).end());
    expect((await fetchWithin(1)(moved)).status).toBe(302);
  });
});
