import { PROVIDER_USAGE, type JsonObject, type NewRunEvent, type ProviderUsage } from '@palimpsest/contracts';
import { hasCode, providerUsageOf, ServiceUnavailableError, type ModelUsage } from '@palimpsest/kernel';
import { foldWorkflowRun, runStatusOf } from '@palimpsest/workflow';
import { liveRunOf } from '../runs/workflow-run.js';
import type { InvocationKey } from './invocation-store.js';
import type { InvocationPorts } from './invocation-ports.js';

type Ports = Pick<InvocationPorts, 'eventLog' | 'clock' | 'logger'>;
export type BilledCall = InvocationKey & { readonly nodeId: string };

/** Races for the head that one usage may lose before the work on its run is put off. */
const MAX_CONFLICTS = 16;

/**
 * Puts on the run's log what an invocation cost (host specification §4.7), once for each answer that was billed: who
 * comes again records nothing. A usage whose numbers the provider did not report cannot stand there.
 */
export async function recordUsages(
  ports: Ports,
  call: BilledCall,
  usages: readonly ModelUsage[],
): Promise<void> {
  for (const [place, usage] of usages.entries()) {
    const told = providerUsageOf(usage);
    const payload = told && { ...told, nodeId: call.nodeId };
    const commandId = `usage-${call.invocationId}-${place}`;
    if (payload) await record(ports, call, { payload, commandId });
    else
      ports.logger.warn(
        named(call),
        'A provider reported no numbers for an answer; its usage is not recorded',
      );
  }
}

type Entry = { readonly payload: ProviderUsage; readonly commandId: string };

async function record(ports: Ports, call: BilledCall, { payload, commandId }: Entry): Promise<void> {
  const { eventLog, clock, logger } = ports;
  const { tenantId, runId, nodeId } = call;
  for (let attempt = 0; attempt < MAX_CONFLICTS; attempt += 1) {
    const run = liveRunOf(await eventLog.header(tenantId, runId));
    // Nothing follows a run's end. What the call cost stays with its invocation.
    if (!run)
      return logger.warn(named(call), 'A run ended while a model answered; the usage is not on its log');
    const at = clock.now();
    const event: NewRunEvent = {
      type: PROVIDER_USAGE,
      payload: payload as JsonObject,
      schemaVersion: 1,
      nodeId,
    };
    const placed = { ...event, sequence: run.head + 1, timestamp: at.toISOString() };
    const state = foldWorkflowRun(run.state, placed) ?? run.state;
    const header = { status: runStatusOf(state), state: state as unknown as JsonObject };
    try {
      const request = { tenantId, runId, expectedHead: run.head, events: [event], at, header, commandId };
      await eventLog.append(request);
      return;
    } catch (error) {
      if (!hasCode(error, 'sequence_conflict')) throw error;
    }
  }
  throw new ServiceUnavailableError('The run has too many writers at once: its log');
}

function named({ tenantId, runId, nodeId, invocationId }: BilledCall): object {
  return { tenantId, runId, nodeId, invocationId };
}
