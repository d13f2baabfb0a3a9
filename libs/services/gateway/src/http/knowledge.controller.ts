import { Controller, Inject, Param } from '@nestjs/common';
import { knownWorkgroupId } from '../domain/registry-paths.js';
import { flushRequestSchema, knowledgeDeltaRequestSchema } from '../domain/workgroup-requests.js';
import { KnowledgeDeltas } from '../handlers/knowledge-deltas.js';
import { REGISTRY, type Registry } from '../ports.js';
import { Exchange } from './exchange.decorator.js';
import { Operation } from './operation.decorator.js';
import { RegistryRequests } from './registry-requests.js';

/** What is kept for an idempotency key holds ids; the deltas are read for each answer. */
@Controller()
export class KnowledgeController {
  constructor(
    @Inject(RegistryRequests) private readonly requests: RegistryRequests,
    @Inject(KnowledgeDeltas) private readonly deltas: KnowledgeDeltas,
    @Inject(REGISTRY) private readonly registry: Registry,
  ) {}

  @Operation('acceptKnowledge')
  async accept(@Exchange() exchange: Exchange, @Param('workgroupId') id: string): Promise<object> {
    const { tenantId } = exchange;
    const workgroupId = knownWorkgroupId(id);
    const verdict = await this.requests.run(exchange, knowledgeDeltaRequestSchema, (request, command) =>
      this.deltas.accept({ tenantId, workgroupId, request }, command),
    );
    return this.deltas.withDeltas(tenantId, verdict);
  }

  @Operation('flushKnowledge')
  async flush(@Exchange() exchange: Exchange, @Param('workgroupId') id: string): Promise<object> {
    const { tenantId } = exchange;
    const workgroupId = knownWorkgroupId(id);
    const flushed = await this.requests.run(exchange, flushRequestSchema, async (body, command) => {
      const { calls, waiting } = await this.registry.flushKnowledge({
        tenantId,
        workgroupId,
        ...body,
        ...command,
      });
      return { calls, waiting };
    });
    return this.deltas.withDeltas(tenantId, flushed);
  }
}
