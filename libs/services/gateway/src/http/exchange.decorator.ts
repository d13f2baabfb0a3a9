import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../domain/api-key.js';
import { UnauthenticatedError } from '../domain/gateway-errors.js';

const callers = new WeakMap<object, Caller>();

export function rememberCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request.raw, caller);
}

export function callerOf(request: FastifyRequest): Caller | undefined {
  return callers.get(request.raw);
}

/** A request of a known caller, and the reply in the making. The method's result is sent; headers may be set. */
export type Exchange = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly tenantId: string;
  readonly caller: Caller;
};

export const Exchange = createParamDecorator((_data: unknown, context: ExecutionContext): Exchange => {
  const http = context.switchToHttp();
  const request = http.getRequest<FastifyRequest>();
  const caller = callerOf(request);
  if (!caller) throw new UnauthenticatedError();
  return { request, reply: http.getResponse<FastifyReply>(), tenantId: caller.tenantId, caller };
});
