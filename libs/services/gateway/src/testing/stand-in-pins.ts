import {
  eventIdOf,
  isTerminalStatus,
  PIN_ADDED,
  PIN_REMOVED,
  pinnedTokens,
  pinsAfter,
  type AddPin,
  type NewRunEvent,
  type PinAnswer,
  type RemovePin,
  type RunHeader,
} from '@palimpsest/contracts';
import { NotFoundError, RunNotActiveError, TerminalError, type EventLog } from '@palimpsest/kernel';
import { windowedRunOf, type WindowedRun } from '../domain/windowed-run.js';
import type { RunLogCommands } from '../ports.js';

const at = new Date('2026-01-02T03:04:05.678Z');

/** Pins on any log: refused where they would not fit the budget alone, or where the run has ended. */
export class StandInPins implements Pick<RunLogCommands, 'addPin' | 'removePin'> {
  readonly added: AddPin[] = [];
  readonly removed: RemovePin[] = [];

  constructor(private readonly log: EventLog) {}

  async addPin(command: AddPin): Promise<PinAnswer> {
    this.added.push(command);
    const { pinId, artifactId, counts, repaired, pinnedEventId } = command;
    const payload = {
      pinId,
      artifactId,
      ...(repaired && { repaired }),
      ...(pinnedEventId !== undefined && { pinnedEventId }),
    };
    return this.record(command, {
      type: PIN_ADDED,
      payload,
      schemaVersion: 1,
      nodeId: `pin:${pinId}`,
      counts,
    });
  }

  async removePin(command: RemovePin): Promise<PinAnswer> {
    this.removed.push(command);
    const { pinId } = command;
    return this.record(command, {
      type: PIN_REMOVED,
      payload: { pinId },
      schemaVersion: 1,
      nodeId: `pin:${pinId}`,
    });
  }

  private async record(command: AddPin | RemovePin, event: NewRunEvent): Promise<PinAnswer> {
    const { tenantId, runId, pinId, commandId } = command;
    const run = await this.run(command);
    const { header, tokenCounter, pins: before } = run;
    if (event.type === PIN_REMOVED && !before[pinId]) throw new NotFoundError('The pin');
    const after = pinsAfter(before, { ...event, sequence: header.head + 1 }, tokenCounter);
    checkBudget(run, pinnedTokens(after));
    const { pins: _before, ...state } = header.state;
    const { firstSequence: sequence } = await this.log.append({
      tenantId,
      runId,
      at,
      expectedHead: header.head,
      events: [event],
      header: { status: header.status, state: { ...state, ...after } },
      ...(commandId !== undefined && { commandId }),
    });
    return { pinId, eventId: eventIdOf(runId, sequence), sequence, pinnedTokens: pinnedTokens(after) };
  }

  private async run({ tenantId, runId }: AddPin | RemovePin): Promise<WindowedRun> {
    const header = await this.log.header(tenantId, runId);
    const run = header && windowedRunOf(header);
    if (!run) throw new NotFoundError('The run');
    if (isTerminalStatus(run.header.status)) throw new RunNotActiveError(runId, run.header.status);
    return run;
  }
}

function checkBudget({ header }: { readonly header: RunHeader }, tokens: number): void {
  const { context } = header.state as { context: { transcriptTokenBudget: number } };
  if (tokens > context.transcriptTokenBudget) {
    throw new TerminalError('context_budget_infeasible', 'The pins leave no room.');
  }
}
