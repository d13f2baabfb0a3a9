import { Controller, Inject, Param, Query, StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { EVENT_LOG, type EventLog } from '@palimpsest/kernel';
import { eventStreamRequestOf, resumeSequence } from '../domain/event-stream-request.js';
import { eventList } from '../handlers/event-list.js';
import { pollRequestOf } from '../domain/poll-request.js';
import { EventStreams } from '../handlers/event-stream.js';
import { EventPolls, type PollAnswer } from '../handlers/poll-events.js';
import { RunAccess } from '../handlers/run-access.js';
import { Exchange } from './exchange.decorator.js';
import { goneSignal } from './gone-signal.js';
import { Operation } from './operation.decorator.js';
import { endWhereStalled } from './stalled-connection.js';

@Controller()
export class EventsController {
  constructor(
    @Inject(RunAccess) private readonly runs: RunAccess,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(EventStreams) private readonly streams: EventStreams,
    @Inject(EventPolls) private readonly polls: EventPolls,
  ) {}

  /** In the order of the host specification (§3.7): visibility, mode, buffer, kind of answer, place to resume. */
  @Operation('readEvents')
  async read(
    @Exchange() { request, reply, tenantId }: Exchange,
    @Param('runId') runId: string,
    @Query() query: unknown,
  ): Promise<StreamableFile | undefined> {
    const run = await this.runs.header(tenantId, runId);
    const wanted = eventStreamRequestOf(query);
    const follows = (request.headers.accept ?? '').includes('text/event-stream');
    reply.header('cache-control', 'no-store').header('vary', 'Accept');
    reply.type(follows ? 'text/event-stream' : 'application/json; charset=utf-8');
    if (request.method === 'HEAD') return undefined;
    if (!follows) return new StreamableFile(await eventList(this.log, run));
    // Proxies that gather answers would hold events back. A stream ends with its connection: kept for reuse, it would
    // hold the process up when that closes.
    reply.header('x-accel-buffering', 'no').header('connection', 'close');
    endWhereStalled(reply, this.streams.stalledMs);
    const fromSequence = resumeSequence(lastEventIdOf(request), run.head);
    return new StreamableFile(this.streams.open({ ...wanted, run, fromSequence, gone: goneSignal(reply) }));
  }

  @Operation('pollEvents')
  async poll(
    @Exchange() { reply, tenantId }: Exchange,
    @Param('runId') runId: string,
    @Query() query: unknown,
  ): Promise<PollAnswer> {
    const run = await this.runs.header(tenantId, runId);
    const wanted = pollRequestOf(query);
    reply.header('cache-control', 'no-store');
    return this.polls.poll({ ...wanted, run, gone: goneSignal(reply) });
  }
}

function lastEventIdOf(request: FastifyRequest): string | undefined {
  const header = request.headers['last-event-id'];
  return Array.isArray(header) ? header[0] : header;
}
