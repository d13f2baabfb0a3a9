import { Agent, request as ask, type IncomingHttpHeaders } from 'node:http';
import type { HttpRequest } from './bad-request.js';

export type HttpAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};

const CONNECTIONS = 8;
const PATIENCE_MS = 20_000;

/** Requests as they are written, over connections that are kept: nothing is normalized, completed or repaired. */
export class HttpSender {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

  constructor(private readonly url: string) {}

  /** In the order asked; undefined where the connection ended without an answer. */
  async sendAll(requests: readonly HttpRequest[]): Promise<readonly (HttpAnswer | undefined)[]> {
    const answers: (HttpAnswer | undefined)[] = [];
    const waiting = requests.map((request, index) => ({ request, index }));
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        answers[next.index] = await this.send(next.request).catch(() => undefined);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    return answers;
  }

  send({ method, path, headers: given, body }: HttpRequest): Promise<HttpAnswer> {
    const { hostname, port } = new URL(this.url);
    const headers = { ...framingOf(method, body), ...given };
    return new Promise((resolve, reject) => {
      const asking = ask({ agent: this.#agent, hostname, port, method, path, headers });
      asking.setTimeout(PATIENCE_MS, () => asking.destroy());
      asking.once('error', reject);
      asking.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      });
      asking.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Node frames the body of a POST by itself; that of a DELETE would be taken for the next request. */
function framingOf(method: string, body: HttpRequest['body']): Readonly<Record<string, string>> {
  return method === 'DELETE' && body ? { 'content-length': String(Buffer.byteLength(body)) } : {};
}
