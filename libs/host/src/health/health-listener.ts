import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readiness } from './readiness.js';

export type HealthListener = { readonly port: number; close(): Promise<void> };

export type HealthListenerOptions = {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly readiness: Readiness;
};

/** `GET /healthz`: the process lives. `GET /readyz`: it can do its work (503 otherwise, with what is missing). */
export async function startHealthListener(options: HealthListenerOptions): Promise<HealthListener> {
  const server = createServer((request, response) => void answer(options.readiness, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  readiness: Readiness,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0];
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return send(response, 405, { error: 'method_not_allowed', message: 'Only GET is served here.' });
  if (path === '/healthz') return send(response, 200, { status: 'ok' });
  if (path !== '/readyz')
    return send(response, 404, { error: 'not_found', message: 'Only /healthz and /readyz are served here.' });
  const report = await readiness.report();
  send(response, report.ready ? 200 : 503, {
    status: report.ready ? 'ready' : 'not-ready',
    checks: report.checks,
  });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
