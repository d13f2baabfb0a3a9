import { Inject, Injectable } from '@nestjs/common';
import {
  EXTERNAL_WORKFLOW,
  type ContextSettings,
  type JsonObject,
  type RunStatus,
} from '@palimpsest/contracts';
import { ID_SOURCE, NotFoundError, type IdSource } from '@palimpsest/kernel';
import { resolveContextSettings } from '../domain/context-settings.js';
import { ForeignTenantError } from '../domain/gateway-errors.js';
import type { CreateRunRequest } from '../domain/requests.js';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options.js';
import { RUN_LOG_COMMANDS, type RunLogCommands } from '../ports.js';
import type { Attempt } from './idempotent-requests.js';

export type CreatedRun = {
  readonly runId: string;
  readonly status: RunStatus;
  readonly eventsUrl: string;
  readonly statusUrl: string;
  readonly context: ContextSettings;
};

@Injectable()
export class CreateRunHandler {
  constructor(
    @Inject(RUN_LOG_COMMANDS) private readonly runLog: RunLogCommands,
    @Inject(ID_SOURCE) private readonly ids: IdSource,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  async create(tenantId: string, request: CreateRunRequest, attempt: Attempt): Promise<CreatedRun> {
    if (request.tenantId !== undefined && request.tenantId !== tenantId) throw new ForeignTenantError();
    if (request.workflowId !== EXTERNAL_WORKFLOW) throw new NotFoundError('The workflow');
    const { context: contextRequest, ...configurable } = request.configurable ?? {};
    const context = resolveContextSettings(contextRequest ?? {}, this.options.context);
    const header = await this.runLog.createRun({
      tenantId,
      runId: attempt.runId ?? this.ids.runId(),
      workflowId: request.workflowId,
      context,
      ...(request.inputs && { inputs: request.inputs }),
      ...(request.tags && { tags: request.tags }),
      ...(request.metadata && { metadata: request.metadata }),
      ...(Object.keys(configurable).length > 0 && { configurable: configurable as JsonObject as never }),
      ...(attempt.commandId !== undefined && { commandId: attempt.commandId }),
    });
    const statusUrl = `/v1/runs/${header.runId}`;
    return {
      runId: header.runId,
      status: header.status,
      eventsUrl: `${statusUrl}/events`,
      statusUrl,
      context,
    };
  }
}
