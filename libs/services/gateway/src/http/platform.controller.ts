import { Controller, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { JsonObject } from '@palimpsest/contracts';
import { NotReadyError } from '../domain/gateway-errors.js';
import { READINESS, type GatewayPorts } from '../gateway-options.js';
import { openApiDocument } from '../openapi/openapi-document.js';
import { Operation } from './operation.decorator.js';

/** What is served without a key. */
@Controller()
export class PlatformController {
  private document: JsonObject | undefined;

  constructor(@Inject(READINESS) private readonly readiness: GatewayPorts['readiness']) {}

  @Operation('openApi')
  openApi(): JsonObject {
    this.document ??= openApiDocument();
    return this.document;
  }

  @Operation('healthz')
  healthz(): object {
    return { status: 'ok' };
  }

  @Operation('readyz')
  async readyz(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const { ready, checks } = await this.readiness();
    reply.header('cache-control', 'no-store');
    if (!ready) throw new NotReadyError(checks);
    return { status: 'ready', checks };
  }
}
