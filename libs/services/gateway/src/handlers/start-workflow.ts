import { Inject, Injectable } from '@nestjs/common';
import type {
  ContextSettings,
  JsonObject,
  RunStatusAnswer,
  StartWorkflow,
  WorkflowDefinition,
} from '@palimpsest/contracts';
import { NotFoundError } from '@palimpsest/kernel';
import { redactJson } from '@palimpsest/transcript';
import { checkRunRequest, offendingNode } from '@palimpsest/workflow';
import { resolveLoopContext } from '../domain/context-settings.js';
import { checkModelWish } from '../domain/model-wish.js';
import { recordedRequest } from '../domain/recorded-request.js';
import type { CreateRunRequest } from '../domain/requests.js';
import type { SentObject } from '../domain/sent-json.js';
import { CapabilityRequiredError } from '../domain/workflow-errors.js';
import { GATEWAY_OPTIONS, type GatewayOptions } from '../gateway-options.js';
import {
  RUN_LOG_COMMANDS,
  WORKFLOW_DIRECTORY,
  type RunLogCommands,
  type WorkflowDirectory,
} from '../ports.js';

/** A run that is there once it is started, under these ids. */
export type NewRun = { readonly tenantId: string; readonly runId: string; readonly commandId?: string };

/** Starts the run, once its request is known to be good. */
export type CheckedStart<Also = object> = () => Promise<RunStatusAnswer & Also>;

/** Runs that the host executes (host specification §3.1). */
@Injectable()
export class StartWorkflowHandler {
  constructor(
    @Inject(WORKFLOW_DIRECTORY) private readonly workflows: WorkflowDirectory,
    @Inject(RUN_LOG_COMMANDS) private readonly runLog: RunLogCommands,
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayOptions,
  ) {}

  /**
   * The request against its workflow. What is recorded holds no secret that is known as one.
   * @throws NotFoundError, CapabilityRequiredError, ValidationError, BudgetInfeasibleError
   */
  async check(
    run: NewRun,
    request: CreateRunRequest,
  ): Promise<CheckedStart<{ readonly context?: ContextSettings }>> {
    const { tenantId } = run;
    const { workflowId, inputs = {} } = request;
    // `context` is no value of the workflow's: its settings in effect are recorded apart.
    const { context: contextRequest, ...configurable } = request.configurable ?? {};
    const workflow = await this.workflows.readWorkflow({ tenantId, workflowId });
    if (!workflow || !isStartable(workflow.definition)) throw new NotFoundError(`The workflow ${workflowId}`);
    const offending = offendingNode(workflow.definition);
    if (offending) throw new CapabilityRequiredError(offending);
    const asked = { inputs, configurable: configurable as JsonObject };
    const checked = checkRunRequest(workflow.definition, asked, this.options.engineLimits);
    checkModelWish(configurable, this.options.models);
    const context =
      contextRequest || hasLoop(workflow.definition)
        ? resolveLoopContext(contextRequest ?? {}, this.options.context)
        : undefined;
    const others = Object.keys(configurable).length > 0 ? configurable : undefined;
    const command: StartWorkflow = {
      ...run,
      workflowId: workflow.definition.id,
      workflowDigest: workflow.digest,
      inputs: redactJson(inputs),
      defaults: redactJson(checked.defaults) as SentObject,
      bounds: checked.bounds,
      ...recordedRequest({ ...request, configurable: others }),
      ...(request.scopeId && { scopeId: request.scopeId }),
      ...(context && { context }),
    };
    return async () => ({ ...(await this.runLog.startWorkflow(command)), ...(context && { context }) });
  }
}

/** A loop that a script decides has no windows itself; a run that it dispatches may have. */
function hasLoop({ nodes }: WorkflowDefinition): boolean {
  return nodes.some(({ typeId }) => LOOP_TYPES.has(typeId));
}

const LOOP_TYPES: ReadonlySet<string> = new Set(['core.orchestrator.supervisor', 'core.dispatch']);

function isStartable({ isActive = true, status = 'active' }: WorkflowDefinition): boolean {
  return isActive && status === 'active';
}
