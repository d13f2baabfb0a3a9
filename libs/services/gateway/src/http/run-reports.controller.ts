import { Controller, Inject, Param } from '@nestjs/common';
import type { Usage, Verification } from '@palimpsest/contracts';
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
  async usage(@Exchange() exchange: Exchange, @Param('runId') runId: string): Promise<Usage> {
    const run = await this.runs.header(exchange.tenantId, runId);
    return this.assembler.usage({ tenantId: run.tenantId, runId: run.runId });
  }

  @Operation('verifyRun')
  async verify(@Exchange() exchange: Exchange, @Param('runId') runId: string): Promise<Verification> {
    const run = await this.runs.header(exchange.tenantId, runId);
    return this.forks.verify({ tenantId: run.tenantId, runId: run.runId });
  }
}
