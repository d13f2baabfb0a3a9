import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '@palimpsest/contracts';
import { LOGGER, type Logger } from '@palimpsest/kernel';
import { matchesTag } from '../domain/entity-tag.js';
import { PROTOCOL_VERSION } from '../domain/versions.js';
import { FIXTURE_IDS, GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options.js';
import { tagOfBody } from '../http/conditional-answer.js';
import { Operation } from '../http/operation.decorator.js';
import { discoveryDocument } from './discovery-document.js';
import { KnownFixtures } from './known-fixtures.js';

/** `GET /.well-known/openwop`, for everybody (host specification §1.1). */
@Controller()
export class DiscoveryController {
  private readonly fixtures: KnownFixtures;

  constructor(
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
    @Inject(FIXTURE_IDS) fixtureIds: () => Promise<readonly string[]>,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.fixtures = new KnownFixtures({ fixtureIds, logger });
    // A budget that cannot be kept must not be claimed: the process does not start.
    discoveryDocument({ options, fixtureIds: [] });
  }

  @Operation('discovery')
  async read(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<JsonObject | undefined> {
    const { ids, known } = await this.fixtures.read();
    const document = discoveryDocument({ options: this.options, fixtureIds: ids });
    const tag = tagOfBody(PROTOCOL_VERSION, document);
    reply.header('etag', tag).header('cache-control', known ? 'public, max-age=300' : 'no-cache');
    if (!matchesTag(request.headers['if-none-match'], tag)) return document;
    reply.status(304);
    return undefined;
  }
}
