import type { FastifyInstance } from 'fastify';
import type { Logger } from '@palimpsest/kernel';
import { callerOf } from './exchange.decorator.js';

/** One line per answer: the route's pattern, not the path, and never a header or a body. */
export function logRequests(server: FastifyInstance, logger: Logger): void {
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const fields = {
      requestId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
      tenantId: callerOf(request)?.tenantId,
    };
    if (route === '/healthz' || route === '/readyz') logger.debug(fields, 'Answered');
    else logger.info(fields, 'Answered');
    done();
  });
}
