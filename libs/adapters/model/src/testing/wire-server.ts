import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sendError, sendReply } from './send-reply.js';
import type { WireReply } from './wire-reply.js';
import { readWireRequest, type WireFormat, type WireRequest } from './wire-request.js';

export type WireServerOptions = {
  /** What each request gets. An exception is answered with 500. */
  readonly respond: (request: WireRequest) => WireReply | Promise<WireReply>;
  /** Key that requests must show; without it any will do. */
  readonly apiKey?: string;
  /** Default 0: any free one, on the loopback interface. */
  readonly port?: number;
};

export type WireServer = {
  /** The base URL of both formats. */
  readonly baseUrl: string;
  /** Every request that was understood, in order. */
  readonly requests: readonly WireRequest[];
  /** Drops open connections. */
  close(): Promise<void>;
};

const FORMATS: Readonly<Record<string, WireFormat>> = {
  '/v1/chat/completions': 'openai',
  '/v1/messages': 'anthropic',
};

/** A model provider on this machine that speaks the wire formats of OpenAI's chat completions and Anthropic's messages. */
export async function startWireServer(options: WireServerOptions): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const server = createServer((incoming, response) => {
    // A client that gave up is no failure of the server.
    serve({ incoming, response, requests, options }).catch(() => response.destroy());
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

type Exchange = {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly requests: WireRequest[];
  readonly options: WireServerOptions;
};

async function serve({ incoming, response, requests, options }: Exchange): Promise<void> {
  const path = incoming.url ?? '';
  const format = FORMATS[path];
  const bodyText = await text(incoming);
  if (incoming.method !== 'POST' || !format)
    return sendError(response, { format: 'openai', status: 404, code: 'not_found' });
  if (options.apiKey !== undefined && keyOf(incoming) !== options.apiKey)
    return sendError(response, { format, status: 401, code: 'authentication_error' });
  const { headers } = incoming;
  const request = readWireRequest({ format, index: requests.length, path, headers, bodyText });
  if (!request) return sendError(response, { format, status: 400, code: 'invalid_request_error' });
  requests.push(request);
  await sendReply(response, request, await replyTo(request, options));
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['x-api-key'];
  return typeof key === 'string' ? key : headers.authorization?.replace(/^Bearer /, '');
}

async function replyTo(request: WireRequest, { respond }: WireServerOptions): Promise<WireReply> {
  try {
    return await respond(request);
  } catch {
    return { kind: 'error', status: 500, message: 'The script failed.' };
  }
}
