import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Resolves when the connection of this request is gone. */
  readonly gone: Promise<void>;
};

export type Answer = (response: ServerResponse, request: Received) => void;

/** Answers requests in the order of its list, the last answer for all that follow. */
export class LocalServer {
  readonly received: Received[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(...answers: readonly Answer[]): Promise<LocalServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const local = new LocalServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void local.#answer(request, response, answers);
    });
    running.add(local);
    return local;
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    answers: readonly Answer[],
  ): Promise<void> {
    const gone = new Promise<void>((resolve) => response.once('close', resolve));
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method = '', url: path = '', headers } = request;
    const received = { method, path, headers, body, gone };
    const answer = answers[Math.min(this.received.length, answers.length - 1)];
    this.received.push(received);
    answer?.(response, received);
  }

  async stop(): Promise<void> {
    running.delete(this);
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const running = new Set<LocalServer>();

/** For after a test. */
export async function stopServers(): Promise<void> {
  await Promise.all([...running].map((server) => server.stop()));
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body));
}

export function refusal(
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
  details?: object,
): Answer {
  return json(status, { error: code, message: `Not so: ${code}.`, ...(details && { details }) }, headers);
}

export function page(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    response
      .writeHead(status, { 'content-type': 'text/html', ...headers })
      .end('<html><body>nginx</body></html>');
}

/** The connection ends in the middle of the body. */
export function brokenOff(text: string): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write(text, () => response.destroy());
  };
}

export const noAnswer: Answer = (response) => void response.destroy();

export function stream(...parts: readonly string[]): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) response.write(part);
    response.end();
  };
}

/** The connection is gone once all parts are written. */
export function brokenStream(...parts: readonly string[]): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(parts.join(''), () => response.destroy());
  };
}

/** The connection stays, and says no more. */
export function silentStream(...parts: readonly string[]): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`:keepalive\n\n${parts.join('')}`);
  };
}

export function frame(sequence: number, type: string): string {
  return `id: ${sequence}\nevent: ${type}\ndata: ${JSON.stringify({ sequence, type, payload: {} })}\n\n`;
}
