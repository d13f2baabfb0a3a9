import { Controller, Inject, Param, Query } from '@nestjs/common';
import { EVENT_LOG, type EventLog } from '@palimpsest/kernel';
import { parseRequest } from '../domain/parse-request.js';
import { createRunRequestSchema, isDeduplicated, listRunsQuerySchema } from '../domain/requests.js';
import { runSummaryOf, type RunSnapshot } from '../domain/run-snapshot.js';
import { CreateRunHandler, type CreatedRun } from '../handlers/create-run.js';
import { RunDocuments, type RunDocument } from '../handlers/run-documents.js';
import { conditionalAnswer, tagOfBody } from './conditional-answer.js';
import { Exchange } from './exchange.decorator.js';
import { KeyedRequests } from './keyed-requests.js';
import { Operation } from './operation.decorator.js';

const DEFAULT_PAGE = 20;

type RunPage = { readonly runs: readonly RunSnapshot[]; readonly nextCursor?: string };

@Controller()
export class RunsController {
  constructor(
    @Inject(RunDocuments) private readonly documents: RunDocuments,
    @Inject(KeyedRequests) private readonly keyed: KeyedRequests,
    @Inject(CreateRunHandler) private readonly creating: CreateRunHandler,
    @Inject(EVENT_LOG) private readonly log: EventLog,
  ) {}

  @Operation('createRun')
  async create(@Exchange() exchange: Exchange): Promise<CreatedRun> {
    const body = parseRequest(createRunRequestSchema, exchange.request.body);
    const alone = isDeduplicated(exchange.request.headers['x-dedup']);
    const { caller } = exchange;
    const created = await this.keyed.run(exchange, (attempt) =>
      this.creating.create({ caller, request: body, alone, attempt }),
    );
    exchange.reply.header('location', created.statusUrl);
    return created;
  }

  @Operation('listRuns')
  async list(@Exchange() { tenantId }: Exchange, @Query() query: unknown): Promise<RunPage> {
    const { limit = DEFAULT_PAGE, ...filter } = parseRequest(listRunsQuerySchema, query, 'query');
    const { runs, nextCursor } = await this.log.listRuns({ tenantId, limit, ...present(filter) });
    return { runs: runs.map(runSummaryOf), ...(nextCursor !== undefined && { nextCursor }) };
  }

  /** HEAD comes here, too. */
  @Operation('readRun')
  async read(
    @Exchange() exchange: Exchange,
    @Param('runId') runId: string,
  ): Promise<RunDocument | undefined> {
    const document = await this.documents.read(exchange.caller, runId);
    return conditionalAnswer(exchange, document, tagOfBody(document.lastSequence, document));
  }
}

/** Without the members that were not given. */
function present<T extends object>(value: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}
