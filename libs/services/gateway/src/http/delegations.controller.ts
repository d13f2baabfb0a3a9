import { Controller, Inject, Param, Query } from '@nestjs/common';
import type { DelegationList, DelegationView } from '@palimpsest/contracts/registry';
import { parseRequest } from '../domain/parse-request.js';
import { passedOnDelegation } from '../domain/passed-on-facts.js';
import { knownWorkgroupId } from '../domain/registry-paths.js';
import { delegateRequestSchema, pageOf, streamPageQuerySchema } from '../domain/workgroup-requests.js';
import { REGISTRY, type Registry } from '../ports.js';
import { Exchange } from './exchange.decorator.js';
import { Operation } from './operation.decorator.js';
import { RegistryRequests } from './registry-requests.js';

@Controller()
export class DelegationsController {
  constructor(
    @Inject(RegistryRequests) private readonly requests: RegistryRequests,
    @Inject(REGISTRY) private readonly registry: Registry,
  ) {}

  @Operation('delegate')
  async delegate(@Exchange() exchange: Exchange, @Param('workgroupId') id: string): Promise<DelegationView> {
    const key = { tenantId: exchange.tenantId, workgroupId: knownWorkgroupId(id) };
    return this.requests.run(exchange, delegateRequestSchema, (body, command) =>
      this.registry.delegate({ ...key, ...passedOnDelegation(body), ...command }),
    );
  }

  @Operation('listDelegations')
  async list(
    @Exchange() { tenantId }: Exchange,
    @Param('workgroupId') id: string,
    @Query() query: unknown,
  ): Promise<DelegationList> {
    const workgroupId = knownWorkgroupId(id);
    const page = pageOf(parseRequest(streamPageQuerySchema, query, 'query'));
    return this.registry.listDelegations({ tenantId, workgroupId, ...page });
  }
}
