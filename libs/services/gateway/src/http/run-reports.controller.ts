import { Controller, Inject, Param, Query } from '@nestjs/common';
import type { Usage, Verification } from '@palimpsest/contracts';
import { parseRequest } from '../domain/parse-request.js';
import { usagePageQuerySchema } from '../domain/requests.js';
import { RunAccess } from '../handlers/run-access.js';
import { RUN_FORKS, WINDOW_ASSEMBLER, type RunForks, type WindowAssembler } from '../ports.js';
import { Exchange } from './exchange.decorator.js';
import { Operation } from './operation.decorator.js';

@Controller()
export class RunReportsController {
  constructor(
    @Inject(RunAccess) private readonly runs: RunAccess,
    @Inject(WINDOW_ASSEMBLER) private readonly assembler: WindowAssembler,
    @Inject(RUN_FORKS) private readonly forks: RunForks,
  ) {}

  @Operation('readUsage')
  async usage(
    @Exchange() { tenantId }: Exchange,
    @Param('runId') runId: string,
    @Query() query: unknown,
  ): Promise<Usage> {
    const run = await this.runs.windowed(tenantId, runId);
    const { fromIteration, limit } = parseRequest(usagePageQuerySchema, query, 'query');
    return this.assembler.usage({
      tenantId: run.tenantId,
      runId: run.runId,
      ...(fromIteration !== undefined && { fromIteration }),
      ...(limit !== undefined && { limit }),
    });
  }

  @Operation('verifyRun')
  async verify(@Exchange() exchange: Exchange, @Param('runId') runId: string): Promise<Verification> {
    const run = await this.runs.header(exchange.tenantId, runId);
    return this.forks.verify({ tenantId: run.tenantId, runId: run.runId });
  }
}
