import { createHash } from 'node:crypto';
import { Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { z } from 'zod';
import {
  storableTextSchema,
  type JsonValue,
  type RecordedEvent,
  type RunEvent,
  type RunHeader,
} from '@palimpsest/contracts';
import { canonicalSemanticRequest, EVENT_LOG, readEvents, type EventLog } from '@palimpsest/kernel';
import { parseOptionalBody, parseRequest } from '../../domain/parse-request.js';
import { registeredWorkflow } from '../../domain/registered-workflow.js';
import { RunAccess } from '../../handlers/run-access.js';
import { WORKFLOW_DIRECTORY, type WorkflowDirectory } from '../../ports.js';
import { Exchange } from '../exchange.decorator.js';
import { routerPath } from '../route-paths.js';
import { need, SAMPLE } from './sample-paths.js';

const filterSchema = z.object({
  type: storableTextSchema.max(256).optional(),
  correlationId: storableTextSchema.max(256).optional(),
  causationId: storableTextSchema.max(256).optional(),
  nodeId: storableTextSchema.max(256).optional(),
});

type EventFilter = z.infer<typeof filterSchema>;

/** Seams of conformance tests (host specification §9.1, §9.3). They are no part of the API: its document leaves them out. */
@Controller()
export class SeamsController {
  constructor(
    @Inject(RunAccess) private readonly runs: RunAccess,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(WORKFLOW_DIRECTORY) private readonly workflows: WorkflowDirectory,
  ) {}

  @Post(`${SAMPLE}/workflows`)
  @HttpCode(201)
  async register(@Exchange() exchange: Exchange): Promise<object> {
    need(exchange, 'runs:create');
    const { tenantId, request } = exchange;
    const definition = registeredWorkflow(request.body);
    const registered = await this.workflows.registerWorkflow({ tenantId, definition });
    return { workflowId: registered.definition.id, digest: registered.digest };
  }

  @Get(routerPath(`${SAMPLE}/test/runs/{runId}/events`))
  async events(
    @Exchange() exchange: Exchange,
    @Param('runId') runId: string,
    @Query() query: unknown,
  ): Promise<{ readonly events: readonly RunEvent[] }> {
    need(exchange, 'runs:read');
    const run = await this.runs.header(exchange.tenantId, runId);
    const filter = parseRequest(filterSchema, query, 'query');
    return { events: await this.matching(run, filter) };
  }

  /** What the tenant registered is gone; its runs stay, as logs do. */
  @Post(`${SAMPLE}/test/reset`)
  @HttpCode(200)
  async reset(@Exchange() exchange: Exchange): Promise<object> {
    need(exchange, 'runs:create');
    parseOptionalBody(z.looseObject({}), exchange.request.body);
    return { ok: true, workflowsRemoved: await this.workflows.forgetRegistered(exchange.tenantId) };
  }

  @Post(`${SAMPLE}/test/llm-cache-key`)
  @HttpCode(200)
  llmCacheKey(@Exchange() { request }: Exchange): object {
    const bytes = canonicalSemanticRequest(request.body as JsonValue | undefined);
    return { cacheKey: createHash('sha256').update(bytes).digest('hex') };
  }

  private async matching(
    { tenantId, runId, head }: RunHeader,
    filter: EventFilter,
  ): Promise<readonly RunEvent[]> {
    const found: RunEvent[] = [];
    const types = filter.type === undefined ? {} : { types: [filter.type] };
    for await (const event of readEvents(this.log, { tenantId, runId, from: 0, to: head, ...types }))
      if (matches(event, filter)) found.push(withoutCounts(event));
    return found;
  }
}

/** Events have no correlation id of their own: those that carry one carry it in their payload. */
function matches(event: RecordedEvent, { type, correlationId, causationId, nodeId }: EventFilter): boolean {
  return (
    (type === undefined || event.type === type) &&
    (causationId === undefined || event.causationId === causationId) &&
    (nodeId === undefined || event.nodeId === nodeId) &&
    (correlationId === undefined || event.payload['correlationId'] === correlationId)
  );
}

function withoutCounts({ counts: _counts, ...event }: RecordedEvent): RunEvent {
  return event;
}
