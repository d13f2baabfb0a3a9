import {
  isTerminalStatus,
  ownLoopStateSchema,
  type JsonObject,
  type NewRunEvent,
  type PlanWindow,
  type RunHeader,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { NotFoundError, RunNotActiveError, ValidationError, type HeaderChange } from '@palimpsest/kernel';
import { foldWorkflowRun, workflowStateOf } from '@palimpsest/workflow';
import type { KnownRun } from '../domain/known-run.js';
import { loopFacts, ownLoopFacts, type TranscriptFacts } from '../domain/transcript-facts.js';
import type { RunAsOfNow } from '../history/known-runs.js';

/** A run as of a request for its window. */
export type Moment = {
  readonly header: RunHeader;
  readonly known: KnownRun;
  readonly facts: TranscriptFacts;
  /** Of an execution loop: what its header says, and whose input is asked for. */
  readonly loop?: { readonly state: WorkflowRunState; readonly turn: NonNullable<PlanWindow['turn']> };
};

/** `validation_error` where a turn is named and the loop is the caller's own, or the other way round. */
export function momentOf({ turn }: PlanWindow, { header, known }: RunAsOfNow): Moment {
  const { runId } = header;
  const workflow = workflowStateOf(header.state);
  if (workflow) {
    if (!workflow.context) throw new NotFoundError('A transcript of the run', { runId });
    if (!turn) throw new ValidationError('The turn of the loop is missing.', { runId, field: 'turn' });
    return { header, known, facts: loopFacts(workflow.context, known), loop: { state: workflow, turn } };
  }
  if (turn) throw new ValidationError('The turns of an own loop have no names.', { runId, field: 'turn' });
  return { header, known, facts: ownLoopFacts(ownLoopStateSchema.parse(header.state)) };
}

/**
 * True where the window that is asked for is recorded: of an own loop where nothing was said since, of an execution loop
 * where it is the turn's; of neither where it was planned under other settings. Turns go up by one, and any other is a
 * `validation_error`.
 */
export function hasItsWindow({ known: { last, overlay }, facts, loop }: Moment): boolean {
  if (!loop) return !overlay && last?.window.lastMessageSequence === facts.lastMessageSequence;
  const recorded = last?.window.iteration ?? 0;
  const { iteration } = loop.turn;
  if (iteration === recorded || iteration === recorded + 1) return !overlay && iteration === recorded;
  throw new ValidationError('The turn is neither that of the last window nor the next one.', {
    field: 'turn.iteration',
    iteration,
    lastIteration: recorded,
  });
}

export function assertActive({ header: { runId, status, origin, head, state } }: Moment): void {
  if (isTerminalStatus(status)) throw new RunNotActiveError(runId, status);
  const { replayTarget = -1 } = state as { readonly replayTarget?: number };
  if (head < replayTarget) throw new RunNotActiveError(runId, status, 'replay');
  if (origin?.mode === 'replay') throw new RunNotActiveError(runId, status, 'replay');
}

/** What the events of a window make of the header: of an own loop nothing, as its state knows nothing of windows. */
export function headerAfter(
  { header, loop }: Moment,
  events: readonly NewRunEvent[],
  at: Date,
): HeaderChange | undefined {
  if (!loop) return undefined;
  const timestamp = at.toISOString();
  const state = events.reduce(
    (folded, event, index) =>
      foldWorkflowRun(folded, { ...event, sequence: header.head + 1 + index, timestamp }),
    loop.state,
  );
  return { state: state as unknown as JsonObject };
}
