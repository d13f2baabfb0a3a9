import {
  isTerminalStatus,
  PROVIDER_USAGE,
  type JsonObject,
  type NewRunEvent,
  type RunHeader,
  type SummaryInvocation,
  type SummaryResult,
} from '@palimpsest/contracts';
import {
  hasCode,
  ServiceUnavailableError,
  type AppendRequest,
  type Clock,
  type EventLog,
  type Logger,
} from '@palimpsest/kernel';
import { foldWorkflowRun, workflowStateOf } from '@palimpsest/workflow';
import type { SummaryJobStore } from '../store/summary-job-store.js';

/** Appends that may get in between before whoever tells is asked to tell again. */
const ATTEMPTS = 25;

export type RecordUsagePorts = {
  readonly log: EventLog;
  readonly jobs: SummaryJobStore;
  readonly clock: Clock;
  readonly logger: Logger;
};

type Owner = { readonly tenantId: string; readonly runId: string; readonly nodeId?: string };

/**
 * Records what the model calls of a summary job cost: one `provider.usage` each on the run (host specification §4.7). The
 * command of an event is its invocation, so the same answer told again, by anybody, is billed once. Nothing comes after the
 * end of a run: of a later answer only the job's row keeps the bill.
 */
export class RecordUsage {
  constructor(private readonly ports: RecordUsagePorts) {}

  async of(result: SummaryResult): Promise<void> {
    const { tenantId, jobId, invocations = [] } = result;
    if (invocations.length === 0) return;
    const owner = await this.ports.jobs.ownerOf(result);
    if (!owner) {
      this.ports.logger.warn({ tenantId, jobId }, 'usage of a summary job that nobody asked for');
      return;
    }
    for (const invocation of invocations) await this.record({ tenantId, ...owner }, invocation, jobId);
  }

  private async record(owner: Owner, invocation: SummaryInvocation, jobId: string): Promise<void> {
    const { tenantId, runId } = owner;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const header = await this.ports.log.header(tenantId, runId);
      if (!header || isTerminalStatus(header.status)) {
        const fields = { tenantId, runId, jobId, invocationId: invocation.invocationId };
        this.ports.logger.warn(fields, 'usage of a summary job came after the end of its run');
        return;
      }
      if (await this.appended(usageAppend(header, owner, { invocation, at: this.ports.clock.now() }))) return;
    }
    throw new ServiceUnavailableError('The run is written to so often that its usage', { retryAfterMs: 200 });
  }

  private async appended(request: AppendRequest): Promise<boolean> {
    try {
      await this.ports.log.append(request);
      return true;
    } catch (error) {
      if (hasCode(error, 'sequence_conflict')) return false;
      throw error;
    }
  }
}

function usageAppend(
  { tenantId, runId, head, state }: RunHeader,
  { nodeId }: Owner,
  { invocation, at }: { readonly invocation: SummaryInvocation; readonly at: Date },
): AppendRequest {
  const node = nodeId === undefined ? {} : { nodeId };
  const event: NewRunEvent = {
    type: PROVIDER_USAGE,
    schemaVersion: 1,
    payload: { ...invocation.usage, ...node } as JsonObject,
    ...node,
  };
  const workflow = workflowStateOf(state);
  const dated = { ...event, sequence: head + 1, timestamp: at.toISOString() };
  return {
    tenantId,
    runId,
    expectedHead: head,
    events: [event],
    at,
    commandId: `usage-${invocation.invocationId}`,
    ...(workflow && { header: { state: foldWorkflowRun(workflow, dated) as unknown as JsonObject } }),
  };
}
