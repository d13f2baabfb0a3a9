import { Controller, Inject, Param } from '@nestjs/common';
import type { AppendedMessages } from '@palimpsest/contracts';
import { parseAppendTurns } from '../domain/requests.js';
import { AppendTurnsHandler } from '../handlers/append-turns.js';
import { RunAccess } from '../handlers/run-access.js';
import { Exchange } from './exchange.decorator.js';
import { KeyedRequests } from './keyed-requests.js';
import { Operation } from './operation.decorator.js';

@Controller()
export class TurnsController {
  constructor(
    @Inject(RunAccess) private readonly runs: RunAccess,
    @Inject(KeyedRequests) private readonly keyed: KeyedRequests,
    @Inject(AppendTurnsHandler) private readonly appending: AppendTurnsHandler,
  ) {}

  @Operation('appendTurns')
  async append(@Exchange() exchange: Exchange, @Param('runId') runId: string): Promise<AppendedMessages> {
    const run = await this.runs.ownLoopToWrite(exchange.tenantId, runId);
    const body = parseAppendTurns(exchange.request.body);
    return this.keyed.run(exchange, (attempt) => this.appending.append(run, body, attempt));
  }
}
