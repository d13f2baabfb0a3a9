import type { NewRunEvent, WorkflowDefinition, WorkflowRunState } from '@palimpsest/contracts';
import { readEvents } from '@palimpsest/kernel';
import { foldWorkflowRun, workflowStateOf } from '@palimpsest/workflow';
import type { ForkJob } from '../domain/fork-job.js';
import { outputDivergence } from '../domain/output-divergence.js';
import type { ReplayPorts } from '../replay-ports.js';

/** What a replay records of them: one defect of an engine shows in every node of its type. */
export const MOST_DIVERGENCES = 100;

/** `replay.diverged` of all that is repeated, in the order of the log. */
export type FindOutputDivergences = () => Promise<readonly NewRunEvent[]>;

/** Looks once, when it is asked for the first time. */
export function outputDivergenceFinder(ports: ReplayPorts, job: ForkJob): FindOutputDivergences {
  let found: Promise<readonly NewRunEvent[]> | undefined;
  return () => (found ??= job.mode === 'replay' ? divergencesIn(ports, job) : Promise.resolve([]));
}

/** One pass over the source, from its start: bounds on node executions keep such logs short. */
async function divergencesIn(ports: ReplayPorts, job: ForkJob): Promise<readonly NewRunEvent[]> {
  const { tenantId, sourceRunId: runId, fromSeq, target = -1 } = job;
  const definition = await definitionOf(ports, job);
  if (!definition) return [];
  const found: NewRunEvent[] = [];
  let state: WorkflowRunState | undefined;
  for await (const event of readEvents(ports.eventLog, { tenantId, runId, from: 0, to: target })) {
    const diverged = state && event.sequence >= fromSeq && outputDivergence(event, { definition, state });
    if (diverged) found.push(diverged);
    if (found.length === MOST_DIVERGENCES) return found;
    state = foldWorkflowRun(state, event);
  }
  return found;
}

/** Without the definition nothing can be executed again: what is recorded stands, as it would anyway. */
async function definitionOf(ports: ReplayPorts, job: ForkJob): Promise<WorkflowDefinition | undefined> {
  const { tenantId, sourceRunId, forkRunId: runId } = job;
  const source = await ports.eventLog.header(tenantId, sourceRunId);
  const digest = workflowStateOf(source?.state)?.workflowDigest;
  if (!ports.definitions || digest === undefined) return undefined;
  const version = await ports.definitions.readWorkflow({ digest });
  if (!version)
    ports.logger.warn({ runId, digest }, 'A replay executes no nodes again: their definition is gone');
  return version?.definition;
}
