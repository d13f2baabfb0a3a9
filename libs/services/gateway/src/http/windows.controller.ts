import { Controller, Inject, Param, Query } from '@nestjs/common';
import type { JsonObject, WindowPlan } from '@palimpsest/contracts';
import { parseOptionalBody, parseRequest } from '../domain/parse-request.js';
import { iterationSchema, planWindowRequestSchema, windowQuerySchema } from '../domain/requests.js';
import { RunAccess } from '../handlers/run-access.js';
import { RunWindows } from '../handlers/run-windows.js';
import { Exchange } from './exchange.decorator.js';
import { KeyedRequests } from './keyed-requests.js';
import { Operation } from './operation.decorator.js';

@Controller()
export class WindowsController {
  constructor(
    @Inject(RunAccess) private readonly runs: RunAccess,
    @Inject(KeyedRequests) private readonly keyed: KeyedRequests,
    @Inject(RunWindows) private readonly windows: RunWindows,
  ) {}

  /** For its idempotency key only the iteration is kept: the window is recorded, and its texts can be erased. */
  @Operation('planWindow')
  async plan(
    @Exchange() exchange: Exchange,
    @Param('runId') runId: string,
    @Query() query: unknown,
  ): Promise<JsonObject> {
    const run = await this.runs.ownLoopToWrite(exchange.tenantId, runId);
    const { format } = parseRequest(windowQuerySchema, query, 'query');
    const { expectedSequence } = parseOptionalBody(planWindowRequestSchema, exchange.request.body);
    let planned: WindowPlan | undefined;
    const { iteration } = await this.keyed.run(exchange, async () => {
      planned = await this.windows.plan(run, expectedSequence);
      return { iteration: planned.window.iteration };
    });
    return this.windows.document(run, planned ?? (await this.windows.recorded(run, iteration)), format);
  }

  @Operation('readWindow')
  async read(
    @Exchange() { tenantId }: Exchange,
    @Param('runId') runId: string,
    @Param('iteration') iteration: string,
    @Query() query: unknown,
  ): Promise<JsonObject> {
    const run = await this.runs.windowed(tenantId, runId);
    const { format } = parseRequest(windowQuerySchema, query, 'query');
    return this.windows.explained(run, parseRequest(iterationSchema, iteration, 'iteration'), format);
  }
}
