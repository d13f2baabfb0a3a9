import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ValidationError, type PalimpsestError } from '@palimpsest/kernel';
import { ERROR_STATUS } from '@palimpsest/contracts';
import { PathNotFoundError } from '../domain/gateway-errors.js';
import { envelopeOf } from './error-filter.js';

/** What the router refuses before any hook: a path that is not percent-encoded UTF-8, or a segment too long to be an id. */
export function answerUnroutable(
  error: Error & { code?: string },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const answer: PalimpsestError =
    error.code === 'FST_ERR_BAD_URL'
      ? new ValidationError('The path is not percent-encoded UTF-8.', { field: 'path' })
      : new PathNotFoundError();
  const status = ERROR_STATUS[answer.code];
  reply.status(status).header('x-request-id', request.id).type('application/json; charset=utf-8');
  reply.send(envelopeOf(answer, status, String(request.id)));
}

/** Node refuses a request without Host, and one that expects what nobody knows, before anything of ours sees it. */
export const NO_HOST_CHECK = { requireHostHeader: false };

/** They go the way of every request instead, to be refused like every request. */
export function keepOddRequests({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Bytes that are no HTTP request: there is no reply object yet. */
export function refuseBrokenHttp(requestId: string, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
  const body = JSON.stringify({ error: 'validation_error', message: 'The request is not well-formed HTTP.' });
  const head = [
    `HTTP/1.1 ${STATUS_LINES[error.code ?? ''] ?? '400 Bad Request'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
