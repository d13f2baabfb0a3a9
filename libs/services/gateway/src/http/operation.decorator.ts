import { applyDecorators, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { operation, type Operation as ListedOperation, type OperationName } from './operations.js';
import { routerPath } from './route-paths.js';

type RouteConfiguration = { readonly operation?: OperationName };

const BINDS = { GET: Get, POST: Post, DELETE: Delete } as const;

/** Binds a controller's method to an operation of the list. */
export function Operation(name: OperationName): MethodDecorator {
  const { method, path, status } = operation(name);
  return applyDecorators(BINDS[method](routerPath(path)), HttpCode(status), RouteConfig({ operation: name }));
}

/** The operation that a request was routed to; none for docs and for what is not served. */
export function servedOperation(request: FastifyRequest): ListedOperation | undefined {
  const { operation: name } = request.routeOptions.config as RouteConfiguration;
  return name === undefined ? undefined : operation(name);
}
