import { Inject, Injectable } from '@nestjs/common';
import { EXTERNAL_WORKFLOW, runIdSchema, type RunHeader } from '@palimpsest/contracts';
import { EVENT_LOG, NotFoundError, RunNotActiveError, type EventLog } from '@palimpsest/kernel';
import { hasWindows, windowedRunOf, type WindowedRun } from '../domain/windowed-run.js';
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

  /** A run with windows, of either kind, to be read: a workflow without an execution loop has none. */
  async windowed(tenantId: string, runId: string): Promise<RunHeader> {
    const header = await this.header(tenantId, runId);
    if (!hasWindows(header)) throw new HostExecutesRunError(runId);
    return header;
  }

  /** As `windowed`, to be written to. A replay that has nothing yet takes nothing, as none does. */
  async windowedToWrite(tenantId: string, runId: string): Promise<WindowedRun> {
    const header = await this.header(tenantId, runId);
    if (!hasWindows(header)) throw new HostWritesRunError(runId, header.status);
    const run = windowedRunOf(header);
    if (!run) throw new RunNotActiveError(runId, header.status, 'replay');
    return run;
  }

  /** A run whose loop is the caller's, to be written to: nobody but the host takes turns of a run of a workflow. */
  async ownLoopToWrite(tenantId: string, runId: string): Promise<RunHeader> {
    const header = await this.header(tenantId, runId);
    if (header.workflowId !== EXTERNAL_WORKFLOW) throw new HostWritesRunError(runId, header.status);
    return header;
  }
}
