import { Controller, Inject, Param } from '@nestjs/common';
import { workflowIdSchema, type WorkflowDefinition } from '@palimpsest/contracts';
import { NotFoundError } from '@palimpsest/kernel';
import { parseRequest } from '../domain/parse-request.js';
import { pathIdSchema } from '../domain/requests.js';
import { WORKFLOW_DIRECTORY, type WorkflowDirectory } from '../ports.js';
import { conditionalAnswer } from './conditional-answer.js';
import { Exchange } from './exchange.decorator.js';
import { Operation } from './operation.decorator.js';

@Controller()
export class WorkflowsController {
  constructor(@Inject(WORKFLOW_DIRECTORY) private readonly workflows: WorkflowDirectory) {}

  /** The newest definition that the caller's tenant sees (host specification §10.1). */
  @Operation('readWorkflow')
  async read(
    @Exchange() exchange: Exchange,
    @Param('workflowId') workflowId: string,
  ): Promise<WorkflowDefinition | undefined> {
    parseRequest(pathIdSchema, workflowId, 'workflowId');
    const { tenantId } = exchange;
    const possible = workflowIdSchema.safeParse(workflowId).success;
    const workflow = possible ? await this.workflows.readWorkflow({ tenantId, workflowId }) : undefined;
    if (!workflow) throw new NotFoundError(possible ? `The workflow ${workflowId}` : 'The workflow');
    return conditionalAnswer(exchange, workflow.definition, `"${workflow.digest}"`);
  }
}
