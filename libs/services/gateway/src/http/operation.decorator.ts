import { applyDecorators, Get, HttpCode, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { operation, type OperationName } from './operations.js';
import { routerPath } from './route-paths.js';

export type RouteConfiguration = { readonly operation?: OperationName };

/** Binds a controller's method to an operation of the list. */
export function Operation(name: OperationName): MethodDecorator {
  const { method, path, status } = operation(name);
  const bind = method === 'GET' ? Get : Post;
  return applyDecorators(bind(routerPath(path)), HttpCode(status), RouteConfig({ operation: name }));
}
