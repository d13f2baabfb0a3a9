import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { NotFoundError, ValidationError } from '@palimpsest/kernel';
import { bearerToken } from '../domain/api-key.js';
import { MethodNotAllowedError, ScopeMissingError } from '../domain/gateway-errors.js';
import { authenticate } from '../handlers/api-keys.js';
import type { GatewayTables } from '../store/tables.js';
import { rememberCaller } from './exchange.decorator.js';
import { servedOperation } from './operation.decorator.js';
import { lacksVersion, methodsAt, needsKey } from './route-paths.js';

/**
 * What is decided before a body is read, in this order: the version of the path, the key (401 before 404),
 * whether the path and its method are served, the scopes of the key.
 */
export function guardRequests(server: FastifyInstance, db: Kysely<GatewayTables>): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    const pathname = pathnameOf(request);
    if (lacksVersion(pathname))
      throw new ValidationError(`Use the versioned path: /v1${pathname.slice(0, 100)}`);
    const served = servedOperation(request);
    if (needsKey(pathname) || served?.scopes) {
      const caller = await authenticate(db, bearerToken(request.headers.authorization));
      rememberCaller(request, caller);
      const missing = served?.scopes?.find((scope) => !caller.scopes.includes(scope));
      if (missing !== undefined) throw new ScopeMissingError(missing);
    }
    if (request.is404) throw unserved(request.method, pathname);
    checkQueryText(request);
  });
}

function pathnameOf(request: FastifyRequest): string {
  return request.url.split(/[?#]/, 1)[0] ?? '';
}

function unserved(method: string, pathname: string): Error {
  const allowed = methodsAt(pathname);
  return allowed.length > 0 ? new MethodNotAllowedError(method, allowed) : new NotFoundError('The path');
}

/** A query that is not percent-encoded UTF-8 would be read as something it does not say. */
function checkQueryText(request: FastifyRequest): void {
  try {
    decodeURIComponent(request.url.slice(pathnameOf(request).length));
  } catch {
    throw new ValidationError('The query is not percent-encoded UTF-8.', { field: 'query' });
  }
}
