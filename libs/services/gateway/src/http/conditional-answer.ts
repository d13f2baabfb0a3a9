import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag } from '../domain/entity-tag.js';

type Answering = { readonly request: FastifyRequest; readonly reply: FastifyReply };

/** The body under a strong tag, or 304 and nothing where the client has it (RFC 9110 §13.1.2). */
export function conditionalAnswer<Body extends object>(
  { request, reply }: Answering,
  body: Body,
  tag: string,
): Body | undefined {
  reply.header('etag', tag).header('cache-control', 'private, no-cache');
  if (!matchesTag(request.headers['if-none-match'], tag)) return body;
  reply.status(304);
  return undefined;
}

/**
 * `"<prefix>-<digest of the body>"`. Whatever shows in the body changes it: what the caller may see, and when a token ends.
 */
export function tagOfBody(prefix: string | number, body: object): string {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
  return `"${prefix}-${digest.slice(0, 22)}"`;
}
