import { Inject, Injectable } from '@nestjs/common';
import { runIdSchema, type RunHeader } from '@palimpsest/contracts';
import { EVENT_LOG, NotFoundError, type EventLog } from '@palimpsest/kernel';
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
}
