import { Inject, Injectable } from '@nestjs/common';
import type { ContextSettings, JsonObject } from '@palimpsest/contracts';
import { redactJson } from '@palimpsest/transcript';
import { checkReservedKeys } from '@palimpsest/workflow';
import { resolveContextSettings } from '../domain/context-settings.js';
import { recordedRequest } from '../domain/recorded-request.js';
import type { CreateRunRequest } from '../domain/requests.js';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options.js';
import { RUN_LOG_COMMANDS, type RunLogCommands } from '../ports.js';
import type { CheckedStart, NewRun } from './start-workflow.js';

/** Runs whose loop belongs to the caller. */
@Injectable()
export class StartOwnLoopHandler {
  constructor(
    @Inject(RUN_LOG_COMMANDS) private readonly runLog: RunLogCommands,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  /** The settings that were asked for, against those of the host. @throws ValidationError, BudgetInfeasibleError */
  check(run: NewRun, request: CreateRunRequest): CheckedStart<{ readonly context: ContextSettings }> {
    const { context: contextRequest, ...configurable } = request.configurable ?? {};
    const context = resolveContextSettings(contextRequest ?? {}, this.options.context);
    checkReservedKeys(configurable as JsonObject);
    const others = Object.keys(configurable).length > 0 ? configurable : undefined;
    return async () => {
      const { runId, status } = await this.runLog.createRun({
        ...run,
        workflowId: request.workflowId,
        context,
        ...(request.inputs && { inputs: redactJson(request.inputs) }),
        ...recordedRequest({ ...request, configurable: others }),
      });
      return { runId, status, context };
    };
  }
}
