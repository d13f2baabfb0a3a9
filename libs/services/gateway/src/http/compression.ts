import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip, gzipSync, type Gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptsGzip } from '../domain/accepted-encoding.js';
import { encodedTag, plainTags } from '../domain/entity-tag.js';

/** Below this compression makes a body longer, or hardly shorter; every snapshot of a run is above it. */
const THRESHOLD_BYTES = 256;
const COMPRESSIBLE = /^(?:application\/json|text\/)/i;
const EVENT_STREAM = /^text\/event-stream/i;

const gzipWhole = promisify<Buffer | string, Buffer>(gzip);
/** Up to here compressing at once costs less than handing the work to a thread, with a window to match. */
const SMALL_BYTES = 8 * 1024;
const SMALL = { windowBits: 13, memLevel: 5 };

/** Answers that were compressed here; an error may take the place of one before its first byte. */
const compressed = new WeakSet<FastifyReply>();
/** `If-None-Match` as it came, of requests that named a compressed answer. */
const askedTags = new WeakMap<FastifyRequest, string>();

/**
 * Compresses answers where the client asks for it (`restTransport`, host specification §3.3). A compressed answer has a
 * strong tag of its own; handlers know only that of the plain one, so tags are translated both ways.
 */
export function compressAnswers(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const asked = request.headers['if-none-match'];
    if (asked !== undefined && plainTags(asked) !== asked) {
      askedTags.set(request, asked);
      request.headers['if-none-match'] = plainTags(asked);
    }
    done();
  });
  server.addHook('onSend', async (request, reply, payload: unknown) => {
    if (compressed.delete(reply)) forgetEncoding(reply);
    if (reply.statusCode === 304) confirmTag(request, reply);
    if (reply.statusCode === 304 || COMPRESSIBLE.test(headerOf(reply, 'content-type'))) varyByEncoding(reply);
    return isEligible(request, reply) ? compress(reply, payload) : payload;
  });
}

function isEligible(request: FastifyRequest, reply: FastifyReply): boolean {
  if (reply.statusCode === 304 || reply.hasHeader('content-encoding')) return false;
  const { 'accept-encoding': accepted } = request.headers;
  return (
    COMPRESSIBLE.test(headerOf(reply, 'content-type')) &&
    acceptsGzip(Array.isArray(accepted) ? accepted.join(',') : accepted)
  );
}

async function compress(reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (isStream(payload)) {
    markCompressed(reply);
    reply.removeHeader('content-length');
    // Its errors and its end reach the reply through the compressor.
    return pipeline(payload, compressorOf(reply), () => undefined);
  }
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
  if (Buffer.byteLength(payload) < THRESHOLD_BYTES) return payload;
  const isSmall = Buffer.byteLength(payload) <= SMALL_BYTES;
  const bytes = isSmall ? gzipSync(payload, SMALL) : await gzipWhole(payload);
  markCompressed(reply);
  reply.header('content-length', bytes.length);
  return bytes;
}

/** Each frame of an event stream leaves at once; its window is small, as there may be thousands of streams. */
function compressorOf(reply: FastifyReply): Gzip {
  return EVENT_STREAM.test(headerOf(reply, 'content-type'))
    ? createGzip({ flush: constants.Z_SYNC_FLUSH, windowBits: 13, memLevel: 6 })
    : createGzip();
}

function markCompressed(reply: FastifyReply): void {
  compressed.add(reply);
  reply.header('content-encoding', 'gzip');
  const tag = headerOf(reply, 'etag');
  if (tag !== '') reply.header('etag', encodedTag(tag));
}

/** A failed stream has given its headers to the response already. */
function forgetEncoding(reply: FastifyReply): void {
  reply.removeHeader('content-encoding');
  reply.raw.removeHeader('content-encoding');
}

/** A client that holds the compressed answer hears the tag it knows it by. */
function confirmTag(request: FastifyRequest, reply: FastifyReply): void {
  const tag = headerOf(reply, 'etag');
  const asked = askedTags.get(request);
  if (tag !== '' && asked?.includes(encodedTag(tag)) && !asked.includes(tag)) {
    reply.header('etag', encodedTag(tag));
  }
}

function varyByEncoding(reply: FastifyReply): void {
  const vary = headerOf(reply, 'vary');
  if (/(?:^|,)\s*(?:\*|accept-encoding)\s*(?:,|$)/i.test(vary)) return;
  reply.header('vary', vary === '' ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
}

function headerOf(reply: FastifyReply, name: string): string {
  const value = reply.getHeader(name);
  return value === undefined ? '' : String(value);
}

function isStream(payload: unknown): payload is Readable {
  return typeof (payload as { pipe?: unknown } | null | undefined)?.pipe === 'function';
}
