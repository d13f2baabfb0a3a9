import type {
  CancelRun,
  JsonObject,
  NewRunEvent,
  ResolveInterrupt,
  RunHeader,
  WorkflowRunState,
} from '@palimpsest/contracts';
import { NotFoundError, RunNotActiveError, SequenceConflictError } from '@palimpsest/kernel';
import {
  cancelRun,
  foldWorkflowRun,
  InterruptNotFoundError,
  resolveInterrupt,
  runStatusOf,
  startRun,
  workflowStateOf,
} from '@palimpsest/workflow';
import { decidePin } from './decide-pin.js';
import type { Decision, Meeting } from './decision.js';
import type { PinCommand } from './pin.commands.js';
import type { WorkflowRunCommand } from './workflow-run.commands.js';

/** What a command on a run that the host executes records. */
export function decideWorkflowRun(command: WorkflowRunCommand, meeting: Meeting): Decision {
  const events = eventsOf(command, meeting);
  const after = foldAll(events, meeting);
  if (!after) return { events, header: {} };
  return { events, header: { status: runStatusOf(after), state: after as unknown as JsonObject } };
}

function eventsOf(command: WorkflowRunCommand, { header, replayFlags }: Meeting): readonly NewRunEvent[] {
  if (command.kind === 'start-workflow') {
    if (header) throw new SequenceConflictError(command.runId, 'no-run', header.head);
    return startRun(command, replayFlags);
  }
  if (!header) throw new NotFoundError('The run', { runId: command.runId });
  const state = workflowStateOf(header.state);
  // A run whose loop is the caller's never asks anything.
  if (!state) throw new InterruptNotFoundError();
  switch (command.kind) {
    case 'resolve-interrupt':
      return answerTo(command, header, state);
    case 'cancel-run':
      return cancellationOf(command, header, state);
    case 'add-pin':
    case 'remove-pin':
      return [pinOf(command, header, state)];
    default:
      return command satisfies never;
  }
}

/** Of a run that still has windows to come: it has not ended, and repeats no other. */
function pinOf(
  command: PinCommand,
  { origin, head, status }: RunHeader,
  state: WorkflowRunState,
): NewRunEvent {
  const isReplay = origin?.mode === 'replay' || head < (state.replayTarget ?? 0);
  if (isReplay || state.ended)
    throw new RunNotActiveError(command.runId, status, isReplay ? 'replay' : 'ended');
  return decidePin(command, state);
}

/** A replay repeats the answers that were given: it waits for none itself. A branch waits once it is complete. */
function answerTo(
  command: ResolveInterrupt,
  { origin, head, status }: RunHeader,
  state: WorkflowRunState,
): readonly NewRunEvent[] {
  if (origin?.mode === 'replay') throw new InterruptNotFoundError(command.nodeId);
  if (head < (state.replayTarget ?? 0)) throw new RunNotActiveError(command.runId, status, 'replay');
  return resolveInterrupt(command, state);
}

/** Nothing comes after the end of a run: what a replay has yet to repeat comes before. */
function cancellationOf(
  command: CancelRun,
  { head, status }: RunHeader,
  state: WorkflowRunState,
): readonly NewRunEvent[] {
  if (head < (state.replayTarget ?? 0)) throw new RunNotActiveError(command.runId, status, 'replay');
  return cancelRun(command, state);
}

function foldAll(events: readonly NewRunEvent[], { header, at }: Meeting): WorkflowRunState | undefined {
  const first = (header?.head ?? -1) + 1;
  const timestamp = at.toISOString();
  return events.reduce<WorkflowRunState | undefined>(
    (state, event, place) => foldWorkflowRun(state, { ...event, sequence: first + place, timestamp }),
    workflowStateOf(header?.state),
  );
}
