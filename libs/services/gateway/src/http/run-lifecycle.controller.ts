import { Controller, Inject, Param } from '@nestjs/common';
import type { RunHeader } from '@palimpsest/contracts';
import { parseOptionalBody, parseRequest } from '../domain/parse-request.js';
import { finishRunRequestSchema, forkRunRequestSchema } from '../domain/requests.js';
import { runSnapshotOf, type RunSnapshot } from '../domain/run-snapshot.js';
import { ForkRunHandler, type ForkAnswer } from '../handlers/fork-run.js';
import { RunAccess } from '../handlers/run-access.js';
import { RUN_LOG_COMMANDS, type RunLogCommands } from '../ports.js';
import { Exchange } from './exchange.decorator.js';
import { KeyedRequests } from './keyed-requests.js';
import { Operation } from './operation.decorator.js';

@Controller()
export class RunLifecycleController {
  constructor(
    @Inject(RunAccess) private readonly runs: RunAccess,
    @Inject(KeyedRequests) private readonly keyed: KeyedRequests,
    @Inject(ForkRunHandler) private readonly forking: ForkRunHandler,
    @Inject(RUN_LOG_COMMANDS) private readonly runLog: RunLogCommands,
  ) {}

  @Operation('forkRun')
  async fork(@Exchange() exchange: Exchange, @Param('runId') runId: string): Promise<ForkAnswer> {
    const source = await this.runs.header(exchange.tenantId, runId);
    const request = parseRequest(forkRunRequestSchema, exchange.request.body);
    const { caller } = exchange;
    return this.keyed.run(exchange, (attempt) => this.forking.fork({ caller, source, request, attempt }));
  }

  @Operation('finishRun')
  async finish(@Exchange() exchange: Exchange, @Param('runId') runId: string): Promise<RunSnapshot> {
    const run = await this.runs.ownLoopToWrite(exchange.tenantId, runId);
    parseOptionalBody(finishRunRequestSchema, exchange.request.body);
    return this.keyed.run(exchange, async ({ commandId }) =>
      runSnapshotOf(await this.finished(run, commandId)),
    );
  }

  private finished({ tenantId, runId }: RunHeader, commandId: string | undefined): Promise<RunHeader> {
    return this.runLog.finishRun({ tenantId, runId, ...(commandId !== undefined && { commandId }) });
  }
}
