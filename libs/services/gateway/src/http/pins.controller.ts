import { Controller, Inject, Param } from '@nestjs/common';
import { parseOptionalBody, parseRequest } from '../domain/parse-request.js';
import { addPinRequestSchema, emptyRequestSchema, pathIdSchema } from '../domain/requests.js';
import { RunAccess } from '../handlers/run-access.js';
import { RunPins, type AddedPin, type PinList, type RemovedPin } from '../handlers/run-pins.js';
import { Exchange } from './exchange.decorator.js';
import { KeyedRequests } from './keyed-requests.js';
import { Operation } from './operation.decorator.js';

@Controller()
export class PinsController {
  constructor(
    @Inject(RunAccess) private readonly runs: RunAccess,
    @Inject(KeyedRequests) private readonly keyed: KeyedRequests,
    @Inject(RunPins) private readonly pins: RunPins,
  ) {}

  @Operation('addPin')
  async add(@Exchange() exchange: Exchange, @Param('runId') runId: string): Promise<AddedPin> {
    const run = await this.runs.windowedToWrite(exchange.tenantId, runId);
    const body = parseRequest(addPinRequestSchema, exchange.request.body);
    return this.keyed.run(exchange, (attempt) => this.pins.add(run, body, attempt));
  }

  @Operation('listPins')
  async list(@Exchange() { tenantId }: Exchange, @Param('runId') runId: string): Promise<PinList> {
    return this.pins.list(await this.runs.windowed(tenantId, runId));
  }

  @Operation('removePin')
  async remove(
    @Exchange() exchange: Exchange,
    @Param('runId') runId: string,
    @Param('pinId') pinId: string,
  ): Promise<RemovedPin> {
    const run = await this.runs.windowedToWrite(exchange.tenantId, runId);
    parseRequest(pathIdSchema, pinId, 'pinId');
    parseOptionalBody(emptyRequestSchema, exchange.request.body);
    return this.keyed.run(exchange, (attempt) => this.pins.remove(run, pinId, attempt));
  }
}
