import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PayloadTooLargeError, ValidationError } from '@palimpsest/kernel';
import { UnsupportedMediaTypeError } from '../domain/gateway-errors.js';
import { parseStrictJson } from '../domain/strict-json.js';
import { closeOnceRead } from './closing-connection.js';
import { servedOperation } from './operation.decorator.js';
import { SMALL_BODY_BYTES } from './operations.js';

/**
 * A body that cannot be used. It is thrown once it has been read to its end, so that the connection can go on; a raw one as
 * soon as it is too large (contract §1), and the connection ends.
 */
class RefusedBody {
  constructor(readonly error: unknown) {}
}

/** A sender that goes on for longer than this beyond the limit is not waited for. */
const DRAINED_BYTES = 64 * 1024 * 1024;

/** JSON is the only body that is taken, but for raw ones. The limit is in bytes, whatever the letters. */
export function acceptJsonBodies(server: FastifyInstance, maxBodyBytes: number): void {
  server.removeAllContentTypeParsers();
  server.addHook('preParsing', (request, _reply, _payload, done) => {
    // Whatever a raw body is called, it is judged by its bytes.
    if (isRaw(request)) request.raw.headers['content-type'] = 'application/json';
    done();
  });
  server.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    try {
      const limit = limitOf(request, maxBodyBytes);
      return isRaw(request)
        ? await readRaw(request, limit)
        : parseBody(request, await readBody(request, limit));
    } catch (error) {
      return new RefusedBody(error);
    }
  });
  server.addHook('preValidation', (request, reply, done) => {
    const { body } = request;
    if (body instanceof RefusedBody && isRaw(request)) closeOnceRead(request, reply);
    done(body instanceof RefusedBody ? (body.error as Error) : undefined);
  });
}

function isRaw(request: FastifyRequest): boolean {
  return servedOperation(request)?.rawBody === true;
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

/** Ends at the first byte too many, whatever its sender still has. */
async function readRaw(request: FastifyRequest, maxBytes: number): Promise<Buffer> {
  const kept: Buffer[] = [];
  let bytes = 0;
  // To destroy the stream would destroy the connection, and with it the answer.
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new PayloadTooLargeError(bytes, maxBytes);
    kept.push(chunk);
  }
  return Buffer.concat(kept);
}

function parseBody(request: FastifyRequest, bytes: Buffer): unknown {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new UnsupportedMediaTypeError('Send the body as it is: no Content-Encoding is taken.');
  }
  return bytes.length === 0 ? undefined : parseStrictJson(decode(bytes));
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ValidationError('The body is not valid UTF-8.');
  }
}
