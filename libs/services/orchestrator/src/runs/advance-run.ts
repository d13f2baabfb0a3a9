import {
  isTerminalStatus,
  type JsonObject,
  type NewRunEvent,
  type RunHeader,
  type RunStatus,
  type WorkflowDefinition,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { hasCode, replayFlagsOf, RetryableError, ServiceUnavailableError } from '@palimpsest/kernel';
import { redactJson } from '@palimpsest/transcript';
import { advance, type Effect, type EffectOutcome } from '@palimpsest/workflow';
import type { ExecutionPorts, RunKey } from '../orchestrator-ports.js';
import { APPENDED, DECIDED, TIMER_SET } from '../race-points.js';
import { callDeadline } from './call-deadline.js';
import { childRunIdOf } from './child-run-id.js';
import { isOrphan, parentOf, tellParent } from './parent-run.js';
import { outcomeOfEffect } from './effect-outcome.js';
import { growsLog, pollMsOf } from './perform-effect.js';
import { recordedAsOf } from './recorded-as.js';
import { withCounts } from './transcript-counts.js';
import { workflowRunOf, type WorkflowRun } from './workflow-run.js';

/** Races for the head that one piece of work may lose before it is put off. */
const MAX_CONFLICTS = 16;

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
    if (!header || !run) return leave(ports, key, header);
    // one that a newer version started is left to an orchestrator of that version
    replayFlagsOf(header);
    try {
      if (isFresh(run) && (await isOrphan(ports, header))) await endOrphan(ports, header);
      else return await advanceToRest(ports, run, header);
    } catch (error) {
      if (!hasCode(error, 'sequence_conflict')) throw error;
    }
  }
  throw new ServiceUnavailableError('The run has too many writers at once: its log');
}

/** Nothing is left to do for it, except to tell its parent: whoever ended it may have died before. */
async function leave(ports: ExecutionPorts, key: RunKey, header: RunHeader | undefined): Promise<undefined> {
  if (header && isTerminalStatus(header.status)) await tellWhoWaits(ports, header);
  await ports.timers.clear(key, header?.head);
}

async function endOrphan({ childRuns }: ExecutionPorts, header: RunHeader): Promise<void> {
  const { tenantId, runId } = header;
  const parentRunId = parentOf(header);
  const why = { reason: 'parent-cancelled', ...(parentRunId !== undefined && { parentRunId }) };
  await childRuns.cancelRun({ tenantId, runId, ...why });
}

async function advanceToRest(
  ports: ExecutionPorts,
  from: WorkflowRun,
  header: RunHeader,
): Promise<Date | undefined> {
  const recordedAs = await recordedAsOf(ports, from);
  let run: AdvancingRun = { ...from, recordedAs };
  let asked: Effect | undefined;
  let outcome: EffectOutcome | undefined;
  for (;;) {
    const step = await nextStep(ports, run, outcome);
    await ports.races.reach(DECIDED);
    const head = await append(ports, run, step);
    const hasMoved = head > run.head;
    if (hasMoved) await ports.races.reach(APPENDED);
    run = { ...run, head, state: step.state };
    if (step.more) continue;
    // What was asked for and moved nothing would be asked for without end.
    asked = asked && !hasMoved ? undefined : step.effect;
    outcome = asked && (await outcomeOfEffect(ports, run, { ...step, effect: asked }));
    if (asked && growsLog(asked)) {
      const grown = await ports.eventLog.header(run.tenantId, run.runId);
      const next = workflowRunOf(grown);
      if (!next) return leave(ports, run, grown);
      run = { ...next, recordedAs };
      continue;
    }
    if (outcome) continue;
    if (run.state.ended) await tellWhoWaits(ports, header);
    return settleTimer(ports, run, { dueAt: dueAt(step), isFirst: isFresh(from) });
  }
}

async function tellWhoWaits(ports: ExecutionPorts, header: RunHeader): Promise<void> {
  const parentRunId = parentOf(header);
  if (parentRunId !== undefined) await tellParent(ports, { ...header, origin: header.origin }, parentRunId);
}

type AdvancingRun = WorkflowRun & { readonly recordedAs: string | undefined };

type Step = {
  readonly events: readonly NewRunEvent[];
  readonly state: WorkflowRunState;
  readonly status: RunStatus;
  readonly at: Date;
  readonly wakeAt?: Date;
  readonly effect?: Effect;
  readonly definition: WorkflowDefinition;
  /** When performing the effect is of no use any more. */
  readonly until?: Date | undefined;
  readonly more: boolean;
};

async function nextStep(
  ports: ExecutionPorts,
  { runId, state, head, recordedAs }: AdvancingRun,
  outcome: EffectOutcome | undefined,
): Promise<Step> {
  const version = await ports.definitions.version(state.workflowDigest);
  if (!version) throw new DefinitionMissingError(state.workflowDigest);
  const { definition } = version;
  const at = ports.clock.now();
  const advanced = advance({
    runId,
    recordedAs,
    definition,
    state,
    head,
    now: at,
    childRunIdOf: (began) => childRunIdOf(runId, began),
    outcome,
    redact: redactJson,
  });
  const events = await withCounts(advanced.events, definition, ports.tokens);
  const { effect } = advanced;
  const until = effect && callDeadline({ state: advanced.state }, effect, definition);
  return { ...advanced, events, at, definition, until };
}

/** Where a run waits for somebody else, nobody's timer would move it should the word of their end be lost. */
function dueAt({ effect, wakeAt, at }: Step): Date | undefined {
  if (!effect) return wakeAt;
  const poll = at.getTime() + pollMsOf(effect);
  return new Date(Math.min(wakeAt?.getTime() ?? Infinity, poll));
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
