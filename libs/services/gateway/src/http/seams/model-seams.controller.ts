import { Controller, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
import type { ProviderUsage } from '@palimpsest/contracts';
import { emittedUsage } from '../../domain/emitted-usage.js';
import { parseRequest } from '../../domain/parse-request.js';
import { mockProgramRequestSchema, sideEffectsQuerySchema } from '../../domain/seam-requests.js';
import { WORKFLOW_DIRECTORY, type WorkflowDirectory } from '../../ports.js';
import { Exchange } from '../exchange.decorator.js';
import { need, SAMPLE } from './sample-paths.js';

/** Seams of what a run reaches outside: models (host specification §9.3), and effects that are counted (§6.4). */
@Controller()
export class ModelSeamsController {
  constructor(@Inject(WORKFLOW_DIRECTORY) private readonly workflows: WorkflowDirectory) {}

  /** What the provider `mock` answers to a node of this tenant's, call after call. */
  @Post(`${SAMPLE}/test/mock-ai/program`)
  @HttpCode(200)
  async program(@Exchange() exchange: Exchange): Promise<{ readonly ok: true; readonly count: number }> {
    need(exchange, 'runs:create');
    const { tenantId, request } = exchange;
    const { nodeId, program } = parseRequest(mockProgramRequestSchema, request.body);
    const count = await this.workflows.programMock({ tenantId, nodeId, program });
    return { ok: true, count };
  }

  /** How often nodes of this id had their effect, in all runs of the tenant: a replay adds nothing. */
  @Get(`${SAMPLE}/test/side-effects`)
  async sideEffects(
    @Exchange() exchange: Exchange,
    @Query() query: unknown,
  ): Promise<{ readonly nodeId: string; readonly count: number }> {
    need(exchange, 'runs:read');
    const { nodeId } = parseRequest(sideEffectsQuerySchema, query, 'query');
    return { nodeId, count: await this.workflows.countSideEffects({ tenantId: exchange.tenantId, nodeId }) };
  }

  /** Whether usage may be recorded as it is; nothing is recorded. */
  @Post(`${SAMPLE}/test/emit-provider-usage`)
  @HttpCode(200)
  emitUsage(@Exchange() exchange: Exchange): { readonly ok: true; readonly payload: ProviderUsage } {
    need(exchange, 'runs:create');
    return { ok: true, payload: emittedUsage(exchange.request.body) };
  }
}
