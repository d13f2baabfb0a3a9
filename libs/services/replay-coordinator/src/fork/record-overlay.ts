import {
  RUN_OVERLAID,
  RUN_STARTED,
  type JsonObject,
  type NewRunEvent,
  type RunHeader,
  type RunOverlaid,
} from '@palimpsest/contracts';
import { hasCode, NotFoundError, TerminalError } from '@palimpsest/kernel';
import { placeOfOverlay, type ForkJob } from '../domain/fork-job.js';
import { runKindOf, standingAfter } from '../domain/run-kind.js';
import { reEmittedEvent } from '../domain/re-emitted-event.js';
import type { ReplayPorts } from '../replay-ports.js';
import { spokenIn } from './spoken-in.js';

/**
 * Records the settings that a branch runs on under. Until then the branch is not complete: it takes no turns and is not
 * executed, so nothing of its own can come before. May be done again, and by several at once: the head tells.
 */
export async function recordOverlay(ports: ReplayPorts, job: ForkJob): Promise<void> {
  const fork = job.overlay && (await incomplete(ports, job));
  if (!fork) return;
  const events = [...(await startOf(ports, job)), await overlaidEvent(ports, job, fork)];
  try {
    await written(ports, fork, events);
  } catch (error) {
    if (!hasCode(error, 'sequence_conflict') || (await incomplete(ports, job))) throw error;
  }
}

async function incomplete(ports: ReplayPorts, job: ForkJob): Promise<RunHeader | undefined> {
  const fork = await ports.eventLog.header(job.tenantId, job.forkRunId);
  if (!fork) throw new NotFoundError('The fork', { runId: job.forkRunId });
  return fork.head < placeOfOverlay(job) ? fork : undefined;
}

/** A branch from 0 shares nothing, so it begins as its source did. */
async function startOf(ports: ReplayPorts, job: ForkJob): Promise<readonly NewRunEvent[]> {
  if (job.fromSeq > 0) return [];
  const { tenantId, sourceRunId: runId, forkRunId } = job;
  const { events } = await ports.eventLog.readRun({ tenantId, runId, fromSequence: 0, limit: 1 });
  if (events[0]?.type !== RUN_STARTED)
    throw new TerminalError('internal_error', 'The source of a branch has no start.');
  return [reEmittedEvent(events[0], forkRunId)];
}

async function overlaidEvent(ports: ReplayPorts, job: ForkJob, fork: RunHeader): Promise<NewRunEvent> {
  const { tenantId, sourceRunId: runId, fromSeq, overlay = {} } = job;
  const { context } = overlay;
  // The log wrote this state with the folds of its kind; it is not checked again.
  const before = fork.state['context'] as { readonly tokenCounter: string } | undefined;
  const isRecounted = context && before && context.tokenCounter !== before.tokenCounter;
  const range = { tenantId, runId, from: 0, to: fromSeq - 1 };
  const spoken = isRecounted && (await spokenIn(ports.eventLog, range, context.tokenCounter));
  const payload: RunOverlaid = { ...overlay, ...spoken };
  return { type: RUN_OVERLAID, schemaVersion: 1, payload: payload as JsonObject };
}

async function written(ports: ReplayPorts, fork: RunHeader, events: readonly NewRunEvent[]): Promise<void> {
  const { tenantId, runId, head, workflowId } = fork;
  const at = ports.clock.now();
  const { replayTarget: _target, ...before } = fork.state;
  const placed = events.map((event, index) => ({ ...event, sequence: head + 1 + index }));
  const kind = runKindOf(workflowId);
  const header = standingAfter(kind, before, { events: placed, timestamp: at.toISOString() });
  await ports.eventLog.append({ tenantId, runId, expectedHead: head, events, at, header });
}
