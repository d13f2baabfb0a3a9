import { Inject, Injectable } from '@nestjs/common';
import { EXTERNAL_WORKFLOW, runIdSchema, type RunHeader } from '@palimpsest/contracts';
import { EVENT_LOG, NotFoundError, type EventLog } from '@palimpsest/kernel';
import { HostExecutesRunError, HostWritesRunError } from '../domain/gateway-errors.js';
import { parseRequest } from '../domain/parse-request.js';
import { pathIdSchema } from '../domain/requests.js';

@Injectable()
export class RunAccess {
  constructor(@Inject(EVENT_LOG) private readonly log: EventLog) {}

  /** The tenant's run. One of another tenant, or a text no run id can be, is answered like one that is not there. */
  async header(tenantId: string, runId: string): Promise<RunHeader> {
    parseRequest(pathIdSchema, runId, 'runId');
    const header = runIdSchema.safeParse(runId).success ? await this.log.header(tenantId, runId) : undefined;
    if (!header) throw new NotFoundError('The run');
    return header;
  }

  /** A run whose loop is the caller's, to be read: a run of a workflow has no windows, usage or verification. */
  async ownLoop(tenantId: string, runId: string): Promise<RunHeader> {
    const header = await this.header(tenantId, runId);
    if (header.workflowId !== EXTERNAL_WORKFLOW) throw new HostExecutesRunError(runId);
    return header;
  }

  /** As `ownLoop`, to be written to: nobody but the host writes to a run of a workflow. */
  async ownLoopToWrite(tenantId: string, runId: string): Promise<RunHeader> {
    const header = await this.header(tenantId, runId);
    if (header.workflowId !== EXTERNAL_WORKFLOW) throw new HostWritesRunError(runId, header.status);
    return header;
  }
}
