import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { ID_SOURCE, LOGGER, type IdSource, type Logger } from '@palimpsest/kernel';
import {
  GATEWAY_DATABASE,
  GATEWAY_OPTIONS,
  type GatewayOptions,
  type GatewayPorts,
} from './gateway-options.js';
import { Admission } from './handlers/admission.js';
import { RunWatches } from './handlers/run-watches.js';
import { compressAnswers } from './http/compression.js';
import { serveDocs } from './http/docs.js';
import { ErrorFilter } from './http/error-filter.js';
import { EventStreamPlaces } from './http/event-stream-places.js';
import { acceptJsonBodies } from './http/json-body.js';
import { guardRequests } from './http/request-gate.js';
import { logRequests } from './http/request-log.js';
import { closeUsedConnections } from './http/used-connections.js';
import {
  answerUnroutable,
  keepOddRequests,
  NO_HOST_CHECK,
  refuseBrokenHttp,
} from './http/unroutable-requests.js';

export type GatewayAppOptions = {
  /** Where the framework's own messages go; default nowhere. */
  readonly frameworkLogger?: LoggerService;
  /** Addresses or networks (CIDR) whose `X-Forwarded-For` tells the client's address; default none. */
  readonly trustedProxies?: readonly string[];
};

/** Longest path segment that is looked at. */
const MAX_SEGMENT = 1024;

/**
 * The HTTP application around a root module that imports `GatewayModule.register(…)`, or around that itself.
 * Call `listen` on it, or `init` for requests that are injected.
 */
export async function createGatewayApp(
  root: Type | DynamicModule,
  options: GatewayAppOptions = {},
): Promise<NestFastifyApplication> {
  const starting: { ids?: IdSource } = {};
  const requestId = (): string => starting.ids?.requestId() ?? 'req_starting';
  const trustProxy = [...(options.trustedProxies ?? [])];
  const adapter = new FastifyAdapter({
    http: NO_HOST_CHECK,
    genReqId: requestId,
    trustProxy: trustProxy.length > 0 && trustProxy,
    routerOptions: { maxParamLength: MAX_SEGMENT },
    frameworkErrors: answerUnroutable,
    clientErrorHandler: (error, socket) => refuseBrokenHttp(requestId(), error, socket),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: options.frameworkLogger ?? false,
  });
  const logger = app.get<Logger>(LOGGER, { strict: false });
  starting.ids = app.get<IdSource>(ID_SOURCE, { strict: false });
  const server = app.getHttpAdapter().getInstance();
  keepOddRequests(server);
  logRequests(server, logger);
  const settings = app.get<GatewayOptions>(GATEWAY_OPTIONS, { strict: false });
  const database = app.get<GatewayPorts['database']>(GATEWAY_DATABASE, { strict: false });
  acceptJsonBodies(server, settings.maxBodyBytes);
  guardRequests(server, {
    admission: new Admission(database, settings.rateLimits),
    streams: new EventStreamPlaces(settings.maxEventStreams),
  });
  compressAnswers(server);
  app.useGlobalFilters(new ErrorFilter(logger));
  serveDocs(server);
  closeUsedConnections(server);
  return app;
}

/**
 * Ends the event streams, takes no more requests and waits for those at work. Where the services they ask live in the
 * same application this comes before `close`, which ends responders before it ends the listener.
 */
export async function drainRequests(app: NestFastifyApplication): Promise<void> {
  app.get(RunWatches, { strict: false }).onModuleDestroy();
  await app.getHttpAdapter().close();
}
