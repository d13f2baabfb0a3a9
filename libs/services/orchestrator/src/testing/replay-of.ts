import type { JsonObject, RecordedEvent, WorkflowRunState } from '@palimpsest/contracts';
import { causeInFork } from '@palimpsest/kernel';
import { foldWorkflowRun, runStatusOf } from '@palimpsest/workflow';
import type { RunKey } from '../orchestrator-ports.js';
import type { WorkflowHarness } from './workflow-harness.js';

type Replay = {
  readonly count: number;
  readonly runId: string;
  /** Default: the last one of them. */
  readonly replayTarget?: number;
};

/** The first `count` events of a run again, as the replay-coordinator leaves a replay that is complete. Nobody is told. */
export async function replayOf(
  harness: WorkflowHarness,
  source: RunKey,
  { count, runId, replayTarget = count - 1 }: Replay,
): Promise<RunKey> {
  const { eventLog } = harness.stores;
  const { tenantId } = source;
  const repeated = (await harness.events(source)).slice(0, count);
  await eventLog.fork({
    tenantId,
    runId,
    origin: { runId: source.runId, fromSequence: 0, mode: 'replay' },
    at: harness.now,
    status: 'pending',
    state: { replayTarget },
  });
  const timestamp = harness.now.toISOString();
  const folded = repeated.reduce<WorkflowRunState | undefined>(
    (state, event) => foldWorkflowRun(state, { ...event, timestamp }),
    undefined,
  );
  if (!folded) throw new TypeError('A replay repeats at least the start of its source.');
  await eventLog.append({
    tenantId,
    runId,
    expectedHead: -1,
    events: repeated.map((event) => again(event, runId)),
    at: harness.now,
    header: {
      status: runStatusOf(folded),
      state: { ...folded, replayTarget } as unknown as JsonObject,
    },
  });
  return { tenantId, runId };
}

function again({ runId, type, payload, nodeId, causationId, counts }: RecordedEvent, forkRunId: string) {
  return {
    type,
    payload,
    schemaVersion: 1,
    ...(nodeId !== undefined && { nodeId }),
    ...(counts && { counts }),
    ...(causationId !== undefined && { causationId: causeInFork(causationId, runId, forkRunId) }),
  };
}
