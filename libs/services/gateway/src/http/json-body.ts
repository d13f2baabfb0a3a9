import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PayloadTooLargeError, ValidationError } from '@palimpsest/kernel';
import { UnsupportedMediaTypeError } from '../domain/gateway-errors.js';
import { parseStrictJson } from '../domain/strict-json.js';
import { servedOperation } from './operation.decorator.js';
import { SMALL_BODY_BYTES } from './operations.js';

/** A body that cannot be used. It is thrown once it has been read to its end, so that the connection can go on. */
class RefusedBody {
  constructor(readonly error: unknown) {}
}

/** A sender that goes on for longer than this beyond the limit is not waited for. */
const DRAINED_BYTES = 64 * 1024 * 1024;

/** JSON is the only body that is taken. The limit is in bytes, whatever the letters. */
export function acceptJsonBodies(server: FastifyInstance, maxBodyBytes: number): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    try {
      return parseBody(request, await readBody(request, limitOf(request, maxBodyBytes)));
    } catch (error) {
      return new RefusedBody(error);
    }
  });
  server.addHook('preValidation', (request, _reply, done) => {
    done(request.body instanceof RefusedBody ? (request.body.error as Error) : undefined);
  });
}

function limitOf(request: FastifyRequest, hostLimit: number): number {
  const { largeBody, bodyBytes = SMALL_BODY_BYTES, rawBody } = servedOperation(request) ?? {};
  if (rawBody === true) return bodyBytes;
  return largeBody === true ? hostLimit : Math.min(hostLimit, bodyBytes);
}

async function readBody(request: FastifyRequest, maxBytes: number): Promise<Buffer> {
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.raw as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) kept.push(chunk);
    else if (bytes > maxBytes + DRAINED_BYTES) break;
  }
  if (bytes > maxBytes) throw new PayloadTooLargeError(bytes, maxBytes);
  return Buffer.concat(kept);
}

function parseBody(request: FastifyRequest, bytes: Buffer): unknown {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new UnsupportedMediaTypeError('Send the body as it is: no Content-Encoding is taken.');
  }
  if (servedOperation(request)?.rawBody === true) return bytes;
  return bytes.length === 0 ? undefined : parseStrictJson(decode(bytes));
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ValidationError('The body is not valid UTF-8.');
  }
}
