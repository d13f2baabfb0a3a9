import { Controller, Inject, Param, Query } from '@nestjs/common';
import {
  environmentSchema,
  type Promotion,
  type RolloutReport,
  type Rollouts,
  type RolloutView,
  type Selection,
} from '@palimpsest/contracts/registry';
import { refusePrivateContent } from '../domain/context-errors.js';
import { parseRequest } from '../domain/parse-request.js';
import {
  changeStageRequestSchema,
  promoteRequestSchema,
  rolloutReportQuerySchema,
  selectRequestSchema,
} from '../domain/rollout-requests.js';
import { Promotions } from '../handlers/promotions.js';
import { REGISTRY, type Registry } from '../ports.js';
import { Exchange } from './exchange.decorator.js';
import { Operation } from './operation.decorator.js';
import { RegistryRequests } from './registry-requests.js';

@Controller()
export class RolloutsController {
  constructor(
    @Inject(REGISTRY) private readonly registry: Registry,
    @Inject(Promotions) private readonly promotions: Promotions,
    @Inject(RegistryRequests) private readonly requests: RegistryRequests,
  ) {}

  @Operation('readRollouts')
  async read(@Exchange() { tenantId }: Exchange, @Param('environment') named: string): Promise<Rollouts> {
    return this.registry.readRollouts({ tenantId, environment: environmentOf(named) });
  }

  @Operation('changeStage')
  async change(@Exchange() exchange: Exchange, @Param('environment') named: string): Promise<RolloutView> {
    const place = { tenantId: exchange.tenantId, environment: environmentOf(named) };
    return this.requests.run(exchange, changeStageRequestSchema, (body, command) =>
      this.registry.changeStage({ ...place, ...body, ...command }),
    );
  }

  @Operation('selectRollout')
  async select(@Exchange() exchange: Exchange, @Param('environment') named: string): Promise<Selection> {
    const place = { tenantId: exchange.tenantId, environment: environmentOf(named) };
    return this.requests.run(exchange, selectRequestSchema, (body, command) =>
      this.registry.select({ ...place, ...body, ...command }),
    );
  }

  @Operation('promoteRollout')
  async promote(@Exchange() exchange: Exchange, @Param('environment') named: string): Promise<Promotion> {
    const place = { tenantId: exchange.tenantId, environment: environmentOf(named) };
    return this.requests.run(exchange, promoteRequestSchema, (body, command) =>
      this.promotions.promote({ ...place, ...command }, body),
    );
  }

  @Operation('reportRollout')
  async report(
    @Exchange() { tenantId }: Exchange,
    @Param('environment') named: string,
    @Query() query: unknown,
  ): Promise<RolloutReport> {
    const environment = environmentOf(named);
    const { family } = parseRequest(rolloutReportQuerySchema, query, 'query');
    refusePrivateContent(family);
    return this.registry.rolloutReport({ tenantId, environment, family });
  }
}

/** Any name may be one: nothing has to be there before. @throws PrivateContentError, ValidationError */
function environmentOf(named: string): string {
  refusePrivateContent(named);
  return parseRequest(environmentSchema, named, 'environment');
}
