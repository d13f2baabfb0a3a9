import { Controller, Inject, Param, Query } from '@nestjs/common';
import type {
  LineageDocument,
  LineageGrant,
  LineageList,
  LineageView,
  ResultAnswer,
} from '@palimpsest/contracts/registry';
import {
  evictRequestSchema,
  inheritRequestSchema,
  reconcileRequestSchema,
  registerRequestSchema,
  releaseRequestSchema,
  renewRequestSchema,
  resultRequestSchema,
  resumeRequestSchema,
} from '../domain/lineage-requests.js';
import { refusePrivateContent } from '../domain/context-errors.js';
import { parseRequest } from '../domain/parse-request.js';
import {
  passedOnInheritance,
  passedOnRegistration,
  passedOnResult,
  passedOnResume,
} from '../domain/passed-on-facts.js';
import { knownLineageId, knownWorkgroupId } from '../domain/registry-paths.js';
import { lineageListQuerySchema } from '../domain/workgroup-requests.js';
import { REGISTRY, type Registry } from '../ports.js';
import { Exchange } from './exchange.decorator.js';
import { Operation } from './operation.decorator.js';
import { RegistryRequests } from './registry-requests.js';

@Controller()
export class LineagesController {
  constructor(
    @Inject(RegistryRequests) private readonly requests: RegistryRequests,
    @Inject(REGISTRY) private readonly registry: Registry,
  ) {}

  @Operation('registerLineage')
  async register(@Exchange() exchange: Exchange, @Param('workgroupId') id: string): Promise<LineageGrant> {
    const key = { tenantId: exchange.tenantId, workgroupId: knownWorkgroupId(id) };
    return this.requests.run(exchange, registerRequestSchema, (body, command) =>
      this.registry.register({ ...key, ...passedOnRegistration(body), ...command }),
    );
  }

  @Operation('listLineages')
  async list(
    @Exchange() { tenantId }: Exchange,
    @Param('workgroupId') id: string,
    @Query() query: unknown,
  ): Promise<LineageList> {
    const workgroupId = knownWorkgroupId(id);
    refusePrivateContent(query);
    const page = parseRequest(lineageListQuerySchema, query, 'query');
    return this.registry.listLineages({ tenantId, workgroupId, ...page });
  }

  @Operation('readLineage')
  async read(@Exchange() exchange: Exchange, @Param('lineageId') id: string): Promise<LineageDocument> {
    return this.registry.readLineage(keyOf(exchange, id));
  }

  @Operation('resumeLineage')
  async resume(@Exchange() exchange: Exchange, @Param('lineageId') id: string): Promise<LineageGrant> {
    const key = keyOf(exchange, id);
    return this.requests.run(exchange, resumeRequestSchema, (body, command) =>
      this.registry.resume({ ...key, ...passedOnResume(body), ...command }),
    );
  }

  @Operation('inheritLineage')
  async inherit(@Exchange() exchange: Exchange, @Param('lineageId') id: string): Promise<LineageGrant> {
    const key = keyOf(exchange, id);
    return this.requests.run(exchange, inheritRequestSchema, (body, command) =>
      this.registry.inherit({ ...key, ...passedOnInheritance(body), ...command }),
    );
  }

  @Operation('renewLineage')
  async renew(@Exchange() exchange: Exchange, @Param('lineageId') id: string): Promise<LineageGrant> {
    const key = keyOf(exchange, id);
    return this.requests.run(exchange, renewRequestSchema, (body, command) =>
      this.registry.renew({ ...key, ...body, ...command }),
    );
  }

  @Operation('reconcileLineage')
  async reconcile(@Exchange() exchange: Exchange, @Param('lineageId') id: string): Promise<LineageView> {
    const key = keyOf(exchange, id);
    return this.requests.run(exchange, reconcileRequestSchema, (body, command) =>
      this.registry.reconcile({ ...key, ...body, ...command }),
    );
  }

  @Operation('releaseLineage')
  async release(@Exchange() exchange: Exchange, @Param('lineageId') id: string): Promise<LineageView> {
    const key = keyOf(exchange, id);
    return this.requests.run(exchange, releaseRequestSchema, (body, command) =>
      this.registry.release({ ...key, ...body, ...command }),
    );
  }

  @Operation('evictLineage')
  async evict(@Exchange() exchange: Exchange, @Param('lineageId') id: string): Promise<LineageView> {
    const key = keyOf(exchange, id);
    return this.requests.run(exchange, evictRequestSchema, (body, command) =>
      this.registry.evict({ ...key, ...body, ...command }),
    );
  }

  @Operation('recordResult')
  async recordResult(@Exchange() exchange: Exchange, @Param('lineageId') id: string): Promise<ResultAnswer> {
    const key = keyOf(exchange, id);
    return this.requests.run(exchange, resultRequestSchema, (body, command) =>
      this.registry.recordResult({ ...key, ...passedOnResult(body), ...command }),
    );
  }
}

function keyOf({ tenantId }: Exchange, id: string): { tenantId: string; lineageId: string } {
  return { tenantId, lineageId: knownLineageId(id) };
}
