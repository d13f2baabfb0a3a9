import { Inject, Injectable } from '@nestjs/common';
import type { RunHeader } from '@palimpsest/contracts';
import { agentLoopWorkflows, type AgentLoopRequest } from '../domain/agent-loop-sample.js';
import type { Caller } from '../domain/api-key.js';
import { WORKFLOW_DIRECTORY, type WorkflowDirectory } from '../ports.js';
import { CreateRunHandler } from './create-run.js';
import { RunAccess } from './run-access.js';

/** Runs of scripted loops, of definitions that the tenant alone sees. */
@Injectable()
export class AgentLoopStarts {
  constructor(
    @Inject(WORKFLOW_DIRECTORY) private readonly workflows: WorkflowDirectory,
    @Inject(CreateRunHandler) private readonly creating: CreateRunHandler,
    @Inject(RunAccess) private readonly runs: RunAccess,
  ) {}

  async start(caller: Caller, request: AgentLoopRequest): Promise<RunHeader> {
    const { tenantId } = caller;
    const { maxLoopIterations } = request;
    let workflowId = '';
    for (const definition of agentLoopWorkflows(request)) {
      await this.workflows.registerWorkflow({ tenantId, definition });
      workflowId = definition.id;
    }
    const configurable = maxLoopIterations === undefined ? {} : { maxLoopIterations };
    const creation = { caller, request: { workflowId, configurable }, alone: false, attempt: {} };
    const { runId } = await this.creating.create(creation);
    return this.runs.header(tenantId, runId);
  }
}
