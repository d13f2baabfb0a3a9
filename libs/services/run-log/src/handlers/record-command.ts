import { CURRENT_REPLAY_FLAGS, type NewRunEvent, type RunHeader } from '@palimpsest/contracts';
import {
  hasCode,
  isPalimpsestError,
  ServiceUnavailableError,
  type AppendRequest,
  type AppendResult,
} from '@palimpsest/kernel';
import { decideRunCommand, type RunCommand } from '../domain/decide-run-command.js';
import type { Decision, Meeting } from '../domain/decision.js';
import { requireSmallPayloads } from './payload-limit.js';
import type { HandlerPorts } from './run-log-ports.js';

/** Other writers of the same run that one command gives way to before it gives up. */
const MAX_ATTEMPTS = 32;

/**
 * Decides on a fresh header and appends with the header change in one transaction. Who loses the race for the
 * head (against another caller, the assembler's window or the orchestrator) decides anew: the head moving is no
 * conflict of the caller's, a different last message is, and that the rules say. A command that was recorded
 * before answers with its recorded place, whatever has happened to the run since; one that had nothing to record,
 * with the empty place after the head.
 */
export function recordCommand(ports: HandlerPorts, command: RunCommand): Promise<AppendResult> {
  return ports.inTurn.run(`${command.tenantId}/${command.runId}`, () => decideAndAppend(ports, command));
}

async function decideAndAppend(ports: HandlerPorts, command: RunCommand): Promise<AppendResult> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    // A run that is there already refuses a creation at the append, or recalls it.
    const header = isCreation(command)
      ? undefined
      : await ports.eventLog.header(command.tenantId, command.runId);
    const { clock, replayFlags = CURRENT_REPLAY_FLAGS } = ports;
    const meeting: Meeting = { header, at: clock.now(), replayFlags };
    const decided = await decideOrRecall(ports, command, meeting);
    if ('recalled' in decided) return decided.recalled;
    if (decided.events.length === 0) return nothingAfter(header);
    try {
      const result = await ports.eventLog.append(requestFor(command, meeting, decided));
      if (!result.repeated) tell(ports, command, { ...decided, ...result });
      return result;
    } catch (error) {
      if (!header || !hasCode(error, 'sequence_conflict')) throw error;
    }
  }
  throw new ServiceUnavailableError('The run has too many writers at once: its log');
}

function tell(
  { onRecorded }: HandlerPorts,
  { tenantId, runId }: RunCommand,
  { firstSequence, events }: Pick<AppendResult, 'firstSequence'> & Decision,
): void {
  onRecorded?.({ tenantId, runId, firstSequence, events });
}

function isCreation({ kind }: RunCommand): boolean {
  return kind === 'create-run' || kind === 'start-workflow';
}

function nothingAfter(header: RunHeader | undefined): AppendResult {
  const head = header?.head ?? -1;
  return { firstSequence: head + 1, lastSequence: head, repeated: false };
}

async function decideOrRecall(
  ports: HandlerPorts,
  command: RunCommand,
  meeting: Meeting,
): Promise<Decision | { readonly recalled: AppendResult }> {
  try {
    return decideRunCommand(command, meeting);
  } catch (refusal) {
    const recalled = isPalimpsestError(refusal) && (await recordedPlace(ports, command, meeting));
    if (!recalled) throw refusal;
    return { recalled };
  }
}

/**
 * The place of a command that was recorded before. Asked with an append that cannot win, as the run exists:
 * the log looks for the command's id before it looks at the expected head.
 */
async function recordedPlace(
  ports: HandlerPorts,
  command: RunCommand,
  { header, at }: Meeting,
): Promise<AppendResult | undefined> {
  if (command.commandId === undefined || !header) return undefined;
  const { tenantId, runId, commandId } = command;
  const events: readonly NewRunEvent[] = [{ type: 'palimpsest.recall', payload: {}, schemaVersion: 1 }];
  const workflowId = 'palimpsest-recall';
  try {
    const request: AppendRequest = {
      tenantId,
      runId,
      commandId,
      expectedHead: 'no-run',
      events,
      workflowId,
      at,
    };
    return await ports.eventLog.append(request);
  } catch (error) {
    if (hasCode(error, 'sequence_conflict')) return undefined;
    throw error;
  }
}

function requestFor(command: RunCommand, { header, at }: Meeting, decision: Decision): AppendRequest {
  requireSmallPayloads(decision.events);
  return {
    tenantId: command.tenantId,
    runId: command.runId,
    expectedHead: header ? header.head : 'no-run',
    events: decision.events,
    at,
    header: decision.header,
    ...('workflowId' in command && { workflowId: command.workflowId }),
    ...(command.commandId !== undefined && { commandId: command.commandId }),
  };
}
