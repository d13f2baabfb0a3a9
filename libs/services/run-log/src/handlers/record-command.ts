import type { JsonObject, NewRunEvent, PlacedEvent } from '@palimpsest/contracts';
import {
  hasCode,
  isPalimpsestError,
  ServiceUnavailableError,
  type AppendRequest,
  type AppendResult,
  type ExpectedHead,
  type HeaderChange,
} from '@palimpsest/kernel';
import type { OwnLoopCommand } from '../domain/own-loop.commands.js';
import { ownLoopDecider } from '../domain/own-loop.decider.js';
import { runOf, type OwnLoopRun } from '../domain/own-loop.state.js';
import { requireSmallPayloads } from './payload-limit.js';
import type { HandlerPorts } from './run-log-ports.js';

/** Other writers of the same run that one command gives way to before it gives up. */
const MAX_ATTEMPTS = 32;

/**
 * Decides on a fresh header and appends with the header change in one transaction. Who loses the race for the
 * head (against another caller, or against the assembler's window) decides anew: the head moving is no
 * conflict of the caller's, a different last message is, and that the decider says. A command that was recorded
 * before answers with its recorded place, whatever has happened to the run since.
 */
export function recordCommand(ports: HandlerPorts, command: OwnLoopCommand): Promise<AppendResult> {
  return ports.inTurn.run(`${command.tenantId}/${command.runId}`, () => decideAndAppend(ports, command));
}

async function decideAndAppend(ports: HandlerPorts, command: OwnLoopCommand): Promise<AppendResult> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const run = runOf(await ports.eventLog.header(command.tenantId, command.runId));
    const decided = await decideOrRecall(ports, command, run);
    if ('recalled' in decided) return decided.recalled;
    try {
      return await ports.eventLog.append(requestFor(ports, command, { run, events: decided.events }));
    } catch (error) {
      if (command.kind === 'create-run' || !hasCode(error, 'sequence_conflict')) throw error;
    }
  }
  throw new ServiceUnavailableError('The run has too many writers at once: its log');
}

type Decided = { readonly events: readonly PlacedEvent[] } | { readonly recalled: AppendResult };

async function decideOrRecall(
  ports: HandlerPorts,
  command: OwnLoopCommand,
  run: OwnLoopRun,
): Promise<Decided> {
  try {
    return { events: ownLoopDecider.decide(command, run) };
  } catch (refusal) {
    const recalled = isPalimpsestError(refusal) && (await recordedPlace(ports, command, run));
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
  command: OwnLoopCommand,
  run: OwnLoopRun,
): Promise<AppendResult | undefined> {
  if (command.commandId === undefined || run.status === 'absent') return undefined;
  const { tenantId, runId, commandId } = command;
  const events: readonly NewRunEvent[] = [{ type: 'palimpsest.recall', payload: {}, schemaVersion: 1 }];
  const workflowId = 'palimpsest-recall';
  try {
    const at = ports.clock.now();
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

function requestFor(
  ports: HandlerPorts,
  command: OwnLoopCommand,
  decided: { readonly run: OwnLoopRun; readonly events: readonly PlacedEvent[] },
): AppendRequest {
  const events = decided.events.map(({ sequence: _, ...event }) => event);
  requireSmallPayloads(events);
  const after = decided.events.reduce<OwnLoopRun>(
    (run, event) => ownLoopDecider.evolve(run, event),
    decided.run,
  );
  return {
    tenantId: command.tenantId,
    runId: command.runId,
    expectedHead: expectedHeadOf(decided.run),
    events,
    at: ports.clock.now(),
    header: headerOf(after),
    ...(command.kind === 'create-run' && { workflowId: command.workflowId }),
    ...(command.commandId !== undefined && { commandId: command.commandId }),
  };
}

function expectedHeadOf(run: OwnLoopRun): ExpectedHead {
  return run.status === 'absent' ? 'no-run' : run.head;
}

function headerOf(run: OwnLoopRun): HeaderChange {
  switch (run.status) {
    case 'active':
      return { status: 'running', state: run.loop as unknown as JsonObject };
    case 'closed':
      return { status: run.runStatus };
    case 'absent':
      return {};
    default:
      return run satisfies never;
  }
}
