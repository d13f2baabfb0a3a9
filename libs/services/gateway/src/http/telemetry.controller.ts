import { Controller, Inject, Query } from '@nestjs/common';
import type { RecordedTelemetry, TelemetryList } from '@palimpsest/contracts/registry';
import { parseListTelemetry, parseRecordTelemetry } from '../domain/telemetry-requests.js';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options.js';
import { REGISTRY, type Registry } from '../ports.js';
import { Exchange } from './exchange.decorator.js';
import { KeyedRequests } from './keyed-requests.js';
import { Operation } from './operation.decorator.js';

@Controller()
export class TelemetryController {
  constructor(
    @Inject(REGISTRY) private readonly registry: Registry,
    @Inject(KeyedRequests) private readonly keyed: KeyedRequests,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  @Operation('recordTelemetry')
  async record(@Exchange() exchange: Exchange): Promise<RecordedTelemetry> {
    const { tenantId, request } = exchange;
    const { environment = this.options.environment, events } = parseRecordTelemetry(request.body);
    return this.keyed.run(exchange, () => this.registry.recordTelemetry({ tenantId, environment, events }));
  }

  @Operation('listTelemetry')
  async list(@Exchange() { tenantId }: Exchange, @Query() query: unknown): Promise<TelemetryList> {
    const { environment = this.options.environment, after, limit } = parseListTelemetry(query);
    return this.registry.listTelemetry({ tenantId, environment, after, limit });
  }
}
