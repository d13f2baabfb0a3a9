import { Controller, Inject, Param, Query } from '@nestjs/common';
import { EVENT_LOG, type EventLog } from '@palimpsest/kernel';
import { parseRequest } from '../domain/parse-request.js';
import { createRunRequestSchema, listRunsQuerySchema } from '../domain/requests.js';
import { runSnapshotOf, type RunSnapshot } from '../domain/run-snapshot.js';
import { CreateRunHandler, type CreatedRun } from '../handlers/create-run.js';
import { RunAccess } from '../handlers/run-access.js';
import { Exchange } from './exchange.decorator.js';
import { KeyedRequests } from './keyed-requests.js';
import { Operation } from './operation.decorator.js';

const DEFAULT_PAGE = 20;

type RunPage = { readonly runs: readonly RunSnapshot[]; readonly nextCursor?: string };

@Controller()
export class RunsController {
  constructor(
    @Inject(RunAccess) private readonly runs: RunAccess,
    @Inject(KeyedRequests) private readonly keyed: KeyedRequests,
    @Inject(CreateRunHandler) private readonly creating: CreateRunHandler,
    @Inject(EVENT_LOG) private readonly log: EventLog,
  ) {}

  @Operation('createRun')
  async create(@Exchange() exchange: Exchange): Promise<CreatedRun> {
    const body = parseRequest(createRunRequestSchema, exchange.request.body);
    const created = await this.keyed.run(exchange, (attempt) =>
      this.creating.create(exchange.tenantId, body, attempt),
    );
    exchange.reply.header('location', created.statusUrl);
    return created;
  }

  @Operation('listRuns')
  async list(@Exchange() { tenantId }: Exchange, @Query() query: unknown): Promise<RunPage> {
    const { limit = DEFAULT_PAGE, ...filter } = parseRequest(listRunsQuerySchema, query, 'query');
    const { runs, nextCursor } = await this.log.listRuns({ tenantId, limit, ...present(filter) });
    return { runs: runs.map(runSnapshotOf), ...(nextCursor !== undefined && { nextCursor }) };
  }

  @Operation('readRun')
  async read(@Exchange() { tenantId }: Exchange, @Param('runId') runId: string): Promise<RunSnapshot> {
    return runSnapshotOf(await this.runs.header(tenantId, runId));
  }
}

/** Without the members that were not given. */
function present<T extends object>(value: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}
