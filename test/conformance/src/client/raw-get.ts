import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { Host } from './host.js';

export type RawAnswer = {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  /** As they came over the wire: `fetch` would have decoded them. */
  readonly bytes: Buffer;
};

export async function rawGet(host: Host, path: string, acceptEncoding: string): Promise<RawAnswer> {
  const url = new URL(host.baseUrl + path);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      accept: 'application/json',
      authorization: host.authorization,
      'accept-encoding': acceptEncoding,
    };
    request(url, { headers }, resolve).on('error', reject).end();
  });
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
}
