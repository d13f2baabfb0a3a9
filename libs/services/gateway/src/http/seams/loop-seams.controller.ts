import { Controller, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
import type { JsonObject, RunHeader } from '@palimpsest/contracts';
import { hasCode, NotFoundError } from '@palimpsest/kernel';
import { workflowStateOf } from '@palimpsest/workflow';
import { agentLoopRequest } from '../../domain/agent-loop-sample.js';
import { parseRequest } from '../../domain/parse-request.js';
import { transcriptWindowQuerySchema } from '../../domain/seam-requests.js';
import { emptyTranscriptWindow, transcriptWindow } from '../../domain/transcript-window.js';
import { AgentLoopSamples, type AgentLoopRun } from '../../handlers/agent-loop-samples.js';
import { RunAccess } from '../../handlers/run-access.js';
import { RunWindows } from '../../handlers/run-windows.js';
import { WindowTextsReader } from '../../handlers/window-texts.js';
import { Exchange } from '../exchange.decorator.js';
import { goneSignal } from '../gone-signal.js';
import { need, SAMPLE } from './sample-paths.js';

/** Seams that look at execution loops (host specification §9.2, §9.3). */
@Controller()
export class LoopSeamsController {
  constructor(
    @Inject(RunAccess) private readonly runs: RunAccess,
    @Inject(RunWindows) private readonly windows: RunWindows,
    @Inject(WindowTextsReader) private readonly texts: WindowTextsReader,
    @Inject(AgentLoopSamples) private readonly samples: AgentLoopSamples,
  ) {}

  /** The window that a turn was fed, with its texts, which no event holds. */
  @Get(`${SAMPLE}/agent/transcript-window`)
  async window(@Exchange() exchange: Exchange, @Query() query: unknown): Promise<JsonObject> {
    need(exchange, 'runs:read');
    const { runId, iteration } = parseRequest(transcriptWindowQuerySchema, query, 'query');
    const run = await this.runs.header(exchange.tenantId, runId);
    if (iteration < 1) throw new NotFoundError('The window');
    try {
      const plan = await this.windows.recorded(run, iteration);
      const { entries } = await this.texts.read(run.tenantId, plan);
      return transcriptWindow(plan, entries);
    } catch (error) {
      const first = iteration === 1 && hasCode(error, 'not_found') ? firstOfLoop(run) : undefined;
      if (first) return first;
      throw error;
    }
  }

  /** A loop that a script decides, run for this request. */
  @Post(`${SAMPLE}/agentloop/run`)
  @HttpCode(200)
  async agentLoop(@Exchange() exchange: Exchange): Promise<AgentLoopRun> {
    need(exchange, 'runs:create', 'runs:read', 'approvals:respond');
    const { caller, request, reply } = exchange;
    return this.samples.run(caller, agentLoopRequest(request.body), goneSignal(reply));
  }
}

/** Before its first turn is planned, and where a script decides, a loop was fed nothing. */
function firstOfLoop({ state }: RunHeader): JsonObject | undefined {
  const context = workflowStateOf(state)?.context;
  return context && emptyTranscriptWindow(context);
}
