import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '@palimpsest/contracts';
import { anthropicBody } from './anthropic-reply.js';
import { openAiBody } from './openai-reply.js';
import { withUsage, type WireReply } from './wire-reply.js';
import type { WireFormat, WireRequest } from './wire-request.js';

export async function sendReply(
  response: ServerResponse,
  request: WireRequest,
  reply: WireReply,
): Promise<void> {
  if (reply.latencyMs) await delay(reply.latencyMs);
  switch (reply.kind) {
    case 'text':
    case 'object':
    case 'refusal':
      return sendJson(response, 200, bodyOf(request, withUsage(request, reply)));
    case 'error':
      return sendError(response, { ...reply, format: request.format });
    case 'unreadable':
      response.writeHead(200, { 'content-type': 'application/json' }).end(reply.body);
      return;
    case 'truncated':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"id":"1","choices":[{"mess', () => response.destroy());
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'hang':
      return;
    default:
      return reply satisfies never;
  }
}

export type ErrorReply = Omit<Extract<WireReply, { kind: 'error' }>, 'kind' | 'latencyMs'> & {
  readonly format: WireFormat;
};

/** Both formats hold an object `error`; Anthropic's word for it is its `type`. */
export function sendError(response: ServerResponse, reply: ErrorReply): void {
  const { format, status, code, message = 'Failed.', headers = {} } = reply;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const type = code ?? 'api_error';
  const body =
    format === 'openai'
      ? { error: { message, type, param: null, code: code ?? null } }
      : { type: 'error', error: { type, message } };
  sendJson(response, status, body);
}

function sendJson(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function bodyOf(request: WireRequest, reply: ReturnType<typeof withUsage>): JsonObject {
  return request.format === 'openai' ? openAiBody(request, reply) : anthropicBody(request, reply);
}
