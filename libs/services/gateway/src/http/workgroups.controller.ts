import { Controller, Inject, Param, Query } from '@nestjs/common';
import type {
  LoadingPlan,
  McpHealthAnswer,
  OwnedPaths,
  WorkgroupEvents,
  WorkgroupView,
} from '@palimpsest/contracts/registry';
import { parseRequest } from '../domain/parse-request.js';
import { refusePrivateContent } from '../domain/context-errors.js';
import { knownWorkgroupId, newWorkgroupId } from '../domain/registry-paths.js';
import {
  advanceRequestSchema,
  approveRequestSchema,
  coordinateRequestSchema,
  loadingPlanRequestSchema,
  mcpHealthQueryRequestSchema,
  mcpHealthReportSchema,
  ownedPathsPageQuerySchema,
  pageOf,
  streamPageQuerySchema,
} from '../domain/workgroup-requests.js';
import { REGISTRY, type Registry } from '../ports.js';
import { Exchange } from './exchange.decorator.js';
import { Operation } from './operation.decorator.js';
import { RegistryRequests } from './registry-requests.js';

@Controller()
export class WorkgroupsController {
  constructor(
    @Inject(RegistryRequests) private readonly requests: RegistryRequests,
    @Inject(REGISTRY) private readonly registry: Registry,
  ) {}

  @Operation('coordinateWorkgroup')
  async coordinate(@Exchange() exchange: Exchange, @Param('workgroupId') id: string): Promise<WorkgroupView> {
    const key = { tenantId: exchange.tenantId, workgroupId: newWorkgroupId(id) };
    return this.requests.run(exchange, coordinateRequestSchema, (body, command) =>
      this.registry.coordinate({ ...key, ...body, ...command }),
    );
  }

  @Operation('advanceWorkgroup')
  async advance(@Exchange() exchange: Exchange, @Param('workgroupId') id: string): Promise<WorkgroupView> {
    const key = keyOf(exchange, id);
    return this.requests.run(exchange, advanceRequestSchema, (body, command) =>
      this.registry.advancePhase({ ...key, ...body, ...command }),
    );
  }

  @Operation('approveInWorkgroup')
  async approve(@Exchange() exchange: Exchange, @Param('workgroupId') id: string): Promise<WorkgroupView> {
    const key = keyOf(exchange, id);
    return this.requests.run(exchange, approveRequestSchema, (body, command) =>
      this.registry.approve({ ...key, ...body, ...command }),
    );
  }

  @Operation('readWorkgroup')
  async read(@Exchange() exchange: Exchange, @Param('workgroupId') id: string): Promise<WorkgroupView> {
    return this.registry.readWorkgroup(keyOf(exchange, id));
  }

  @Operation('readWorkgroupEvents')
  async events(
    @Exchange() exchange: Exchange,
    @Param('workgroupId') id: string,
    @Query() query: unknown,
  ): Promise<WorkgroupEvents> {
    const key = keyOf(exchange, id);
    const page = pageOf(parseRequest(streamPageQuerySchema, query, 'query'));
    return this.registry.workgroupEvents({ ...key, ...page });
  }

  @Operation('readOwnedPaths')
  async ownedPaths(
    @Exchange() exchange: Exchange,
    @Param('workgroupId') id: string,
    @Query() query: unknown,
  ): Promise<OwnedPaths> {
    const key = keyOf(exchange, id);
    const page = parseRequest(ownedPathsPageQuerySchema, query, 'query');
    refusePrivateContent({ ownedPaths: page.after });
    return this.registry.ownedPaths({ ...key, ...page });
  }

  @Operation('reportMcpHealth')
  async reportMcpHealth(
    @Exchange() exchange: Exchange,
    @Param('workgroupId') id: string,
  ): Promise<McpHealthAnswer> {
    const key = keyOf(exchange, id);
    return this.requests.run(exchange, mcpHealthReportSchema, (body, command) =>
      this.registry.reportMcpHealth({ ...key, ...body, ...command }),
    );
  }

  @Operation('readMcpHealth')
  async mcpHealth(
    @Exchange() exchange: Exchange,
    @Param('workgroupId') id: string,
    @Query() query: unknown,
  ): Promise<McpHealthAnswer> {
    const key = keyOf(exchange, id);
    refusePrivateContent(query);
    return this.registry.mcpHealth({ ...key, ...parseRequest(mcpHealthQueryRequestSchema, query, 'query') });
  }

  @Operation('planLoading')
  async planLoading(@Exchange() exchange: Exchange, @Param('workgroupId') id: string): Promise<LoadingPlan> {
    const key = keyOf(exchange, id);
    return this.registry.planLoading({ ...key, ...this.requests.read(exchange, loadingPlanRequestSchema) });
  }
}

function keyOf({ tenantId }: Exchange, id: string): { tenantId: string; workgroupId: string } {
  return { tenantId, workgroupId: knownWorkgroupId(id) };
}
