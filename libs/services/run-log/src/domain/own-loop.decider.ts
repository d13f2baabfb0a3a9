import {
  foldOwnLoop,
  isTerminalEventType,
  isTerminalStatus,
  ownLoopStatusAfter,
  replayFlagsMember,
  RUN_CANCELLED,
  RUN_COMPLETED,
  RUN_STARTED,
  startedOwnLoop,
  type AppendMessages,
  type CancelRun,
  type JsonObject,
  type PlacedEvent,
} from '@palimpsest/contracts';
import { NotFoundError, RunNotActiveError, SequenceConflictError, type Decider } from '@palimpsest/kernel';
import { decidePin } from './decide-pin.js';
import type { OwnLoopCommand } from './own-loop.commands.js';
import type { ActiveRun, OwnLoopRun } from './own-loop.state.js';
import { placeMessages } from './place-messages.js';

/** The rules of a run whose loop belongs to the caller. An event carries the place it will have in the log. */
export const ownLoopDecider: Decider<OwnLoopRun, OwnLoopCommand, PlacedEvent> = {
  initialState: { status: 'absent' },

  decide(command, run) {
    switch (command.kind) {
      case 'create-run':
        if (run.status !== 'absent') throw new SequenceConflictError(command.runId, 'no-run', run.head);
        return [{ type: RUN_STARTED, payload: startedPayload(command), schemaVersion: 1, sequence: 0 }];
      case 'append-messages':
        return appendMessages(command, requireActive(command.runId, run));
      case 'finish-run': {
        const sequence = requireActive(command.runId, run).head + 1;
        return [{ type: RUN_COMPLETED, payload: { outputs: {} }, schemaVersion: 1, sequence }];
      }
      case 'cancel-run':
        return cancel(command, run);
      case 'add-pin':
      case 'remove-pin': {
        const { head, loop } = requireActive(command.runId, run);
        return [{ ...decidePin(command, loop), sequence: head + 1 }];
      }
      default:
        return command satisfies never;
    }
  },

  evolve(run, event) {
    const head = event.sequence;
    if (isTerminalEventType(event.type))
      return {
        status: 'closed',
        head,
        runStatus: ownLoopStatusAfter(event.type),
        isReplay: false,
        isComplete: true,
      };
    if (run.status === 'active') return { ...run, head, loop: foldOwnLoop(run.loop, event) };
    if (event.type === RUN_STARTED) return { status: 'active', head, loop: startedOwnLoop(event.payload) };
    return run;
  },
};

function appendMessages(command: AppendMessages, run: ActiveRun): readonly PlacedEvent[] {
  const { expectedSequence, messages, runId } = command;
  const { lastMessageSequence } = run.loop;
  if (expectedSequence !== undefined && expectedSequence !== lastMessageSequence)
    throw new SequenceConflictError(runId, expectedSequence, lastMessageSequence);
  return placeMessages(runId, messages, run);
}

/**
 * A run that has ended stays as it ended (host specification §3.4). A replay of a run that goes on may be ended once it
 * has repeated all it was to repeat.
 */
function cancel(command: CancelRun, run: OwnLoopRun): readonly PlacedEvent[] {
  if (run.status === 'closed' && isTerminalStatus(run.runStatus)) return [];
  const isWhole = run.status === 'closed' && run.isComplete;
  const sequence = (isWhole ? run : requireActive(command.runId, run)).head + 1;
  const { reason, cancelledBy, parentRunId } = command;
  const payload = {
    ...(reason !== undefined && { reason }),
    ...(cancelledBy !== undefined && { cancelledBy }),
    ...(parentRunId !== undefined && { parentRunId }),
  };
  return [{ type: RUN_CANCELLED, payload, schemaVersion: 1, sequence }];
}

/** No ids of the run and no clock: a replay compares payloads byte for byte (host specification §6.6). */
function startedPayload(command: Extract<OwnLoopCommand, { kind: 'create-run' }>): JsonObject {
  const { workflowId, context, inputs, tags, metadata, configurable, tenantId, replayFlags } = command;
  return {
    workflowId,
    inputs: inputs ?? {},
    transport: 'rest',
    owner: { tenant: tenantId },
    ...(tags && { tags }),
    ...(metadata && { metadata }),
    configurable: { ...configurable, context: context as JsonObject },
    ...replayFlagsMember(replayFlags),
  };
}

function requireActive(runId: string, run: OwnLoopRun): ActiveRun {
  switch (run.status) {
    case 'absent':
      throw new NotFoundError('The run', { runId });
    case 'closed':
      throw new RunNotActiveError(runId, run.runStatus, run.isReplay ? 'replay' : 'ended');
    case 'active':
      return run;
    default:
      return run satisfies never;
  }
}
