import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { JsonValue } from '@palimpsest/contracts';
import { idempotencyKeyOf } from '../domain/idempotency-key.js';
import { IdempotentRequests, type Attempt } from '../handlers/idempotent-requests.js';
import type { Exchange } from './exchange.decorator.js';
import { servedOperation } from './operation.decorator.js';

type KeyedExchange = Pick<Exchange, 'request' | 'reply' | 'tenantId'> & {
  /** What the request is about, where its path may name that in several ways. Default: the path's parameters. */
  readonly named?: object;
};

/** A POST on its way through its idempotency key. */
@Injectable()
export class KeyedRequests {
  constructor(@Inject(IdempotentRequests) private readonly requests: IdempotentRequests) {}

  /** What the work answers, or answered to the same request before; the reply says which. */
  async run<Kept extends object>(
    { request, reply, tenantId, named = request.params as object }: KeyedExchange,
    work: (attempt: Attempt) => Promise<Kept>,
  ): Promise<Kept> {
    const answer = await this.requests.run<JsonValue>(
      {
        tenantId,
        endpoint: endpointOf(request, named),
        body: request.body as JsonValue | undefined,
        key: idempotencyKeyOf(request.headers['idempotency-key']),
      },
      { status: reply.statusCode, perform: async (attempt) => (await work(attempt)) as JsonValue },
    );
    if (answer.replayed) reply.header('openwop-Idempotent-Replay', 'true');
    return answer.kept as unknown as Kept;
  }
}

/** An operation on what its path names, however the path is spelt and whatever the query asks to see of the answer. */
function endpointOf(request: FastifyRequest, named: object): string {
  const path = servedOperation(request)?.path ?? request.routeOptions.url ?? '';
  return `${request.method} ${path} ${JSON.stringify(named)}`;
}
