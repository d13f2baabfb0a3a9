import { Controller, Inject, Param } from '@nestjs/common';
import type { RunStatusAnswer } from '@palimpsest/contracts';
import { parseOptionalBody } from '../domain/parse-request.js';
import { cancelRunRequestSchema, parseBulkCancel } from '../domain/requests.js';
import { CancelRuns, type BulkResult } from '../handlers/cancel-runs.js';
import { RunAccess } from '../handlers/run-access.js';
import { Exchange } from './exchange.decorator.js';
import { KeyedRequests } from './keyed-requests.js';
import { Operation } from './operation.decorator.js';

/** Host specification §3.4. */
@Controller()
export class CancellationsController {
  constructor(
    @Inject(RunAccess) private readonly runs: RunAccess,
    @Inject(KeyedRequests) private readonly keyed: KeyedRequests,
    @Inject(CancelRuns) private readonly cancelling: CancelRuns,
  ) {}

  @Operation('cancelRun')
  async cancel(@Exchange() exchange: Exchange, @Param('runId') runId: string): Promise<RunStatusAnswer> {
    const run = await this.runs.header(exchange.tenantId, runId);
    const { reason } = parseOptionalBody(cancelRunRequestSchema, exchange.request.body);
    const { caller } = exchange;
    return this.keyed.run(exchange, (attempt) =>
      this.cancelling.cancel(run.runId, { caller, reason, attempt }),
    );
  }

  @Operation('bulkCancelRuns')
  async cancelAll(@Exchange() exchange: Exchange): Promise<{ readonly results: readonly BulkResult[] }> {
    const { runIds, reason } = parseBulkCancel(exchange.request.body);
    const { caller } = exchange;
    return this.keyed.run(exchange, async (attempt) => ({
      results: await this.cancelling.cancelAll(runIds, { caller, reason, attempt }),
    }));
  }
}
