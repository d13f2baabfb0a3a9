import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const TOOL = fileURLToPath(new URL('../../../tools/conformance.mjs', import.meta.url));

type End = { readonly code: number | null; readonly err: string };

function conformance(baseUrl: string, key: string): Promise<End> {
  const env = { OPENWOP_API_KEY: key };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [TOOL, '--base-url', baseUrl], { env }, (_error, _out, err) =>
      resolve({ code: child.exitCode, err }),
    );
  });
}

describe('npm run conformance, of a host that refuses its key', () => {
  let host: Server;
  let status = 401;
  const asked: (string | undefined)[] = [];

  beforeAll(async () => {
    host = createServer((request, response) => {
      const isDiscovery = request.url === '/.well-known/openwop';
      asked.push(request.headers.authorization);
      response.writeHead(isDiscovery ? 200 : status, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => host.close(resolve)));

  it.each([
    [401, 'The host refuses the key'],
    [403, 'The key may not read runs'],
  ])('ends with 3 before anything is tested: %i', async (answered, message) => {
    status = answered;
    const { code, err } = await conformance(
      `http://127.0.0.1:${(host.address() as AddressInfo).port}`,
      'pal_x',
    );
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
    expect(err).toContain('Set OPENWOP_API_KEY');
    expect(err).not.toContain('pal_x');
    expect(asked.splice(0)).toEqual([undefined, 'Bearer pal_x']);
  });
});
