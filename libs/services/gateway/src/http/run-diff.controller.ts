import { Controller, Inject, Param, Query } from '@nestjs/common';
import type { RunDiff } from '@palimpsest/contracts';
import { parseRequest } from '../domain/parse-request.js';
import { diffQuerySchema } from '../domain/requests.js';
import { RunAccess } from '../handlers/run-access.js';
import { RUN_FORKS, type RunForks } from '../ports.js';
import { Exchange } from './exchange.decorator.js';
import { Operation } from './operation.decorator.js';

@Controller()
export class RunDiffController {
  constructor(
    @Inject(RunAccess) private readonly runs: RunAccess,
    @Inject(RUN_FORKS) private readonly forks: RunForks,
  ) {}

  /** Runs of any kind; both are looked up in the tenant, so that another tenant's is unknown whichever of the two it is. */
  @Operation('diffRuns')
  async diff(
    @Exchange() { tenantId }: Exchange,
    @Param('runId') runId: string,
    @Query() query: unknown,
  ): Promise<RunDiff> {
    const run = await this.runs.header(tenantId, runId);
    const { with: named, fromIteration, limit } = parseRequest(diffQuerySchema, query, 'query');
    const other = await this.runs.header(tenantId, named);
    return this.forks.diff({
      tenantId,
      runId: run.runId,
      otherRunId: other.runId,
      ...(fromIteration !== undefined && { fromIteration }),
      ...(limit !== undefined && { limit }),
    });
  }
}
