import type { JsonObject, NewRunEvent, RunStatus, WorkflowRunState } from '@palimpsest/contracts';
import { hasCode, RetryableError, ServiceUnavailableError } from '@palimpsest/kernel';
import { redactJson } from '@palimpsest/transcript';
import { advance, runStatusOf } from '@palimpsest/workflow';
import type { ExecutionPorts, RunKey } from '../orchestrator-ports.js';
import { APPENDED, DECIDED, TIMER_SET } from '../race-points.js';
import { cancelChildren } from './cancel-children.js';
import { stateAfter, workflowRunOf, type WorkflowRun } from './workflow-run.js';

/** Races for the head that one piece of work may lose before it is put off. */
const MAX_CONFLICTS = 16;

/** How soon a run that waits for its children to end is looked at again. */
const CHILD_POLL_MS = 1000;

/** The definition that a run stays with is not here (yet): whoever started the run knew more than this database. */
export class DefinitionMissingError extends RetryableError {
  constructor(digest: string) {
    super('not_found', 'The definition that the run stays with is not known.', {
      details: { digest },
      retryAfterMs: 0,
    });
  }
}

/**
 * Takes a run as far as it goes now, and sets its timer. Safe to do again, at any time, by anybody: what is decided is
 * appended on the head it was decided at, so of several at one run each step has one winner.
 */
export function advanceRun(ports: ExecutionPorts, run: RunKey): Promise<Date | undefined> {
  return ports.inTurn.run(`${run.tenantId}/${run.runId}`, () => advanceFromLog(ports, run));
}

async function advanceFromLog(ports: ExecutionPorts, key: RunKey): Promise<Date | undefined> {
  for (let attempt = 0; attempt < MAX_CONFLICTS; attempt += 1) {
    const header = await ports.eventLog.header(key.tenantId, key.runId);
    const run = workflowRunOf(header);
    if (!run) {
      await ports.timers.clear(key, header?.head);
      return undefined;
    }
    try {
      return await advanceToRest(ports, run);
    } catch (error) {
      if (!hasCode(error, 'sequence_conflict')) throw error;
    }
  }
  throw new ServiceUnavailableError('The run has too many writers at once: its log');
}

async function advanceToRest(ports: ExecutionPorts, from: WorkflowRun): Promise<Date | undefined> {
  let run = from;
  for (;;) {
    const step = await nextStep(ports, run);
    await ports.races.reach(DECIDED);
    const head = await append(ports, run, step);
    if (head > run.head) await ports.races.reach(APPENDED);
    run = { ...run, head, state: step.state };
    if (!step.more) return settleTimer(ports, run, { dueAt: step.wakeAt, isFirst: isFresh(from) });
  }
}

type Step = {
  readonly events: readonly NewRunEvent[];
  readonly state: WorkflowRunState;
  readonly status: RunStatus;
  readonly at: Date;
  readonly wakeAt?: Date | undefined;
  readonly more: boolean;
};

async function nextStep(ports: ExecutionPorts, run: WorkflowRun): Promise<Step> {
  const { workflowDigest, cancelling, children } = run.state;
  const version = await ports.definitions.version(workflowDigest);
  if (!version) throw new DefinitionMissingError(workflowDigest);
  const living = cancelling ? await cancelChildren(ports, run) : children;
  const at = ports.clock.now();
  const advanced = advance({
    runId: run.runId,
    definition: version.definition,
    state: { ...run.state, children: [...living] },
    head: run.head,
    now: at,
    redact: redactJson,
  });
  const { events, more } = advanced;
  // Children leave the state with events of their own, not because they were asked.
  const state = stateAfter(run, events, at);
  const isWaitingForChildren = cancelling && !state.ended && living.length > 0;
  const wakeAt = isWaitingForChildren ? soonAfter(at) : advanced.wakeAt;
  return { events, state, status: runStatusOf(state), at, wakeAt, more };
}

function soonAfter(at: Date): Date {
  return new Date(at.getTime() + CHILD_POLL_MS);
}

/** The head after the step. */
async function append({ eventLog }: ExecutionPorts, run: WorkflowRun, step: Step): Promise<number> {
  if (step.events.length === 0) return run.head;
  const { lastSequence } = await eventLog.append({
    tenantId: run.tenantId,
    runId: run.runId,
    expectedHead: run.head,
    events: step.events,
    at: step.at,
    header: { status: step.status, state: step.state as unknown as JsonObject },
  });
  return lastSequence;
}

/** A run that was never advanced: nobody has set a timer for it. */
function isFresh({ state }: WorkflowRun): boolean {
  return state.nodeExecutions === 0 && Object.keys(state.nodes).length === 0;
}

async function settleTimer(
  { timers, races }: ExecutionPorts,
  { tenantId, runId, head }: WorkflowRun,
  { dueAt, isFirst }: { readonly dueAt: Date | undefined; readonly isFirst: boolean },
): Promise<Date | undefined> {
  if (dueAt) await timers.set({ tenantId, runId, head, dueAt });
  else if (!isFirst) await timers.clear({ tenantId, runId }, head);
  await races.reach(TIMER_SET);
  return dueAt;
}
