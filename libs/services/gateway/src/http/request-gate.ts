import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ValidationError } from '@palimpsest/kernel';
import { bearerToken, type Caller } from '../domain/api-key.js';
import { networkOf } from '../domain/client-network.js';
import {
  ForcedEngineVersionError,
  UnsupportedEngineVersionError,
  MethodNotAllowedError,
  PathNotFoundError,
  ScopeMissingError,
} from '../domain/gateway-errors.js';
import { ENGINE_VERSIONS } from '../domain/versions.js';
import type { Admission } from '../handlers/admission.js';
import type { EventStreamPlaces } from './event-stream-places.js';
import { rememberCaller } from './exchange.decorator.js';
import { servedOperation } from './operation.decorator.js';
import { OPERATIONS, type Operation } from './operations.js';
import { isProbe, lacksVersion, methodsAt, needsKey } from './route-paths.js';

export type Gate = { readonly admission: Admission; readonly streams: EventStreamPlaces };

/**
 * What is decided before a body is read, in this order: the key (401 before 404) and the rate limits, the version of
 * the path, the scopes of the key, whether the path and its method are served.
 */
export function guardRequests(server: FastifyInstance, gate: Gate): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    const pathname = pathnameOf(request);
    const served = servedOperation(request);
    const caller = await admit(gate.admission, request, needsKey(pathname) || served?.scopes !== undefined);
    checkHttpHead(request);
    if (lacksVersion(pathname)) {
      throw new ValidationError(`Use the versioned path: /v1${pathname.slice(0, 100)}`);
    }
    const missing = served?.scopes?.find((scope) => !caller?.scopes.includes(scope));
    if (missing !== undefined) throw new ScopeMissingError(missing);
    if (request.is404) throw unserved(request.method, pathname);
    checkQueryText(request);
    checkOperation(gate, served, { request, reply, caller });
  });
}

/** Probes are not counted: they ask whether this instance can serve, most of all when it is asked too much. */
async function admit(
  admission: Admission,
  request: FastifyRequest,
  secured: boolean,
): Promise<Caller | undefined> {
  const network = networkOf(request.ip);
  if (!secured) {
    if (!isProbe(pathnameOf(request))) await admission.admitAnonymous(network);
    return undefined;
  }
  const caller = await admission.authenticate(credentialOf(request), network);
  rememberCaller(request, caller);
  await admission.admit(caller);
  return caller;
}

/** Of two credentials each side of a proxy could take another: neither counts. */
function credentialOf(request: FastifyRequest): string | undefined {
  return timesGiven(request, 'authorization') > 1 ? undefined : bearerToken(request.headers.authorization);
}

function timesGiven({ raw: { rawHeaders } }: FastifyRequest, header: string): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === header).length;
}

/** What Node would answer by itself, in no envelope: see `keepOddRequests`. */
function checkHttpHead(request: FastifyRequest): void {
  const { httpVersion } = request.raw;
  if (httpVersion === '1.1' && timesGiven(request, 'host') !== 1) {
    throw new ValidationError('Send one Host header.', { field: 'Host' });
  }
  const { expect } = request.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new ValidationError('Expect: only "100-continue" is known.', { field: 'Expect' });
  }
}

type Asked = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller | undefined;
};

function checkOperation({ streams }: Gate, served: Operation | undefined, asked: Asked): void {
  if (served === OPERATIONS.createRun) checkForcedVersion(asked);
  if (served === OPERATIONS.readEvents)
    streams.take(asked.request, asked.reply, asked.caller?.tenantId ?? '');
}

/** Host specification §2.3, §3.1: for test keys only, within the range that discovery tells. */
function checkForcedVersion({ request, caller }: Asked): void {
  const forced = request.headers['x-force-engine-version'];
  if (forced === undefined) return;
  if (!caller?.testKey) throw new ForcedEngineVersionError();
  const { min, max } = ENGINE_VERSIONS;
  const version = /^\d{1,9}$/.test(String(forced)) ? Number(forced) : NaN;
  if (version >= min && version <= max) return;
  throw new UnsupportedEngineVersionError(ENGINE_VERSIONS);
}

function pathnameOf(request: FastifyRequest): string {
  return request.url.split(/[?#]/, 1)[0] ?? '';
}

function unserved(method: string, pathname: string): Error {
  const allowed = methodsAt(pathname);
  // An id with an encoded slash looks like a path that is served, and is none.
  const isMethod = allowed.length > 0 && !allowed.includes(method);
  return isMethod ? new MethodNotAllowedError(method, allowed) : new PathNotFoundError();
}

/** A query that is not percent-encoded UTF-8 would be read as something it does not say. */
function checkQueryText(request: FastifyRequest): void {
  try {
    decodeURIComponent(request.url.slice(pathnameOf(request).length));
  } catch {
    throw new ValidationError('The query is not percent-encoded UTF-8.', { field: 'query' });
  }
}
