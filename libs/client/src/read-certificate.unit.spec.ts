import { text } from 'node:stream/consumers';
import { PalimpsestClient } from './palimpsest-client.js';
import { json, LocalServer, refusal, stopServers, type Answer } from './testing/local-server.js';

afterEach(stopServers);

const LINES = ['{"line":"run"}\n', '{"line":"end"}\n'];
const HEAD = { 'content-type': 'application/x-ndjson' };

async function asked(...answers: readonly Answer[]) {
  const server = await LocalServer.start(...answers);
  const client = new PalimpsestClient({ url: server.url, key: 'pal_key' }, { sleep: async () => undefined });
  return {
    server,
    read: (signal?: AbortSignal) => client.readCertificate('run_1', signal ? { signal } : {}),
  };
}

describe('a certificate', () => {
  it('is handed on as it comes', async () => {
    let finish = (): void => undefined;
    const { server, read } = await asked((response) => {
      response.writeHead(200, HEAD).write(LINES[0]);
      finish = () => void response.end(LINES[1]);
    });
    const reader = (await read()).getReader();
    const first = await reader.read();
    expect(new TextDecoder().decode(first.value)).toBe(LINES[0]);
    finish();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(LINES[1]);
    expect((await reader.read()).done).toBe(true);
    expect(server.received).toMatchObject([
      { method: 'GET', path: '/v1/runs/run_1/certificate', headers: { authorization: 'Bearer pal_key' } },
    ]);
  });

  it('is not taken for whole where the connection is lost, and not asked for twice', async () => {
    const { server, read } = await asked((response) => {
      response.writeHead(200, HEAD).write(LINES[0], () => response.destroy());
    });
    await expect(read().then(text)).rejects.toThrow();
    expect(server.received).toHaveLength(1);
  });

  it('is left alone by who has seen enough', async () => {
    const { server, read } = await asked((response) => void response.writeHead(200, HEAD).write(LINES[0]));
    const wanted = new AbortController();
    await read(wanted.signal);
    wanted.abort();
    await server.received[0]?.gone;
  });

  it('is refused as anything else is', async () => {
    const { read } = await asked(refusal(422, 'capability_required'));
    await expect(read()).rejects.toMatchObject({ name: 'ApiError', code: 'capability_required' });
  });

  it('is none where something else is answered', async () => {
    const { read } = await asked(json(200, {}));
    await expect(read()).rejects.toMatchObject({ code: 'unexpected_answer' });
  });
});
