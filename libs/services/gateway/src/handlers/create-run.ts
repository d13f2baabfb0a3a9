import { Inject, Injectable } from '@nestjs/common';
import { EXTERNAL_WORKFLOW, type ContextSettings, type RunStatus } from '@palimpsest/contracts';
import { ID_SOURCE, type IdSource } from '@palimpsest/kernel';
import type { Caller } from '../domain/api-key.js';
import { ForeignTenantError } from '../domain/gateway-errors.js';
import type { CreateRunRequest } from '../domain/requests.js';
import { MockProviderForbiddenError } from '../domain/workflow-errors.js';
import type { Attempt } from './idempotent-requests.js';
import { RunExclusivity } from './run-exclusivity.js';
import { StartOwnLoopHandler } from './start-own-loop.js';
import { StartWorkflowHandler, type CheckedStart, type NewRun } from './start-workflow.js';

export type CreatedRun = {
  readonly runId: string;
  readonly status: RunStatus;
  readonly eventsUrl: string;
  readonly statusUrl: string;
  /** Of an own loop, and of a workflow with an execution loop: what its windows are held to. */
  readonly context?: ContextSettings;
};

export type Creation = {
  readonly caller: Pick<Caller, 'tenantId' | 'testKey'>;
  readonly request: CreateRunRequest;
  /** No second run beside one that has not ended. */
  readonly alone: boolean;
  readonly attempt: Attempt;
};

type Started = Pick<CreatedRun, 'runId' | 'status' | 'context'>;

@Injectable()
export class CreateRunHandler {
  constructor(
    @Inject(StartWorkflowHandler) private readonly workflows: StartWorkflowHandler,
    @Inject(StartOwnLoopHandler) private readonly ownLoops: StartOwnLoopHandler,
    @Inject(RunExclusivity) private readonly exclusivity: RunExclusivity,
    @Inject(ID_SOURCE) private readonly ids: IdSource,
  ) {}

  /** Nothing is written before the request is known to be good. */
  async create({ caller, request, alone, attempt }: Creation): Promise<CreatedRun> {
    const { tenantId } = caller;
    if (request.tenantId !== undefined && request.tenantId !== tenantId) throw new ForeignTenantError();
    if (request.configurable?.['mockProvider'] !== undefined && !caller.testKey) {
      throw new MockProviderForbiddenError();
    }
    const { commandId, runId = this.ids.runId() } = attempt;
    const run: NewRun = { tenantId, runId, ...(commandId !== undefined && { commandId }) };
    const start = await this.checked(run, request);
    const place = { tenantId, workflowId: request.workflowId, scopeId: request.scopeId ?? '' };
    return linked(await (alone ? this.exclusivity.alone(place, runId, start) : start()));
  }

  private async checked(
    run: NewRun,
    request: CreateRunRequest,
  ): Promise<CheckedStart<{ readonly context?: ContextSettings }>> {
    const kind = request.workflowId === EXTERNAL_WORKFLOW ? this.ownLoops : this.workflows;
    return kind.check(run, request);
  }
}

function linked({ runId, status, context }: Started): CreatedRun {
  const statusUrl = `/v1/runs/${runId}`;
  return { runId, status, eventsUrl: `${statusUrl}/events`, statusUrl, ...(context && { context }) };
}
