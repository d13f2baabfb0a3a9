import {
  eventIdOf,
  foldOwnLoop,
  INSTRUCTION_ADDED,
  MESSAGE_APPENDED,
  ownLoopStateSchema,
  RUN_COMPLETED,
  RUN_STARTED,
  startedOwnLoop,
  type AddPin,
  type AppendedMessages,
  type AppendMessages,
  type CancelRun,
  type CreateRun,
  type FinishRun,
  type JsonObject,
  type NewRunEvent,
  type PinAnswer,
  type RemovePin,
  type ResolveInterrupt,
  type RunHeader,
  type RunStatus,
  type RunStatusAnswer,
  type StartWorkflow,
} from '@palimpsest/contracts';
import { NotFoundError, SequenceConflictError, type EventLog, type ExpectedHead } from '@palimpsest/kernel';
import type { RunLogCommands } from '../ports.js';
import { StandInPins } from './stand-in-pins.js';
import { StandInEngine } from './stand-in-engine.js';

const at = new Date('2026-01-02T03:04:05.678Z');

type Recording = {
  readonly expectedHead: ExpectedHead;
  readonly events: readonly NewRunEvent[];
  readonly state: JsonObject;
  readonly status?: RunStatus;
  readonly workflowId?: string;
};

type Addressed = {
  readonly tenantId: string;
  readonly runId: string;
  readonly commandId?: string | undefined;
};

/** The run log's commands on any log, without its rules about tool calls. Counts what it was asked. */
export class StandInRunLog implements RunLogCommands {
  created = 0;

  readonly engine: StandInEngine;
  readonly pins: StandInPins;

  constructor(private readonly log: EventLog) {
    this.engine = new StandInEngine(log);
    this.pins = new StandInPins(log);
  }

  addPin(command: AddPin): Promise<PinAnswer> {
    return this.pins.addPin(command);
  }

  removePin(command: RemovePin): Promise<PinAnswer> {
    return this.pins.removePin(command);
  }

  startWorkflow(command: StartWorkflow): Promise<RunStatusAnswer> {
    return this.engine.startWorkflow(command);
  }

  resolveInterrupt(command: ResolveInterrupt): Promise<RunStatusAnswer> {
    return this.engine.resolveInterrupt(command);
  }

  cancelRun(command: CancelRun): Promise<RunStatusAnswer> {
    return this.engine.cancelRun(command);
  }

  async createRun(command: CreateRun): Promise<RunHeader> {
    this.created += 1;
    const { workflowId, context, tags, metadata, configurable } = command;
    const payload = JSON.parse(
      JSON.stringify({ workflowId, tags, metadata, configurable: { ...configurable, context } }),
    ) as JsonObject;
    await this.record(command, {
      expectedHead: 'no-run',
      events: [{ type: RUN_STARTED, payload, schemaVersion: 1 }],
      state: startedOwnLoop(payload) as unknown as JsonObject,
      workflowId,
    });
    return this.header(command);
  }

  async appendMessages(command: AppendMessages): Promise<AppendedMessages> {
    const header = await this.header(command);
    const loop = ownLoopStateSchema.parse(header.state);
    const { expectedSequence } = command;
    if (expectedSequence !== undefined && expectedSequence !== loop.lastMessageSequence) {
      throw new SequenceConflictError(command.runId, expectedSequence, loop.lastMessageSequence);
    }
    const events = command.messages.map((message): NewRunEvent => {
      const { role, artifactId, toolCallIds, repaired } = message;
      const common = { role, artifactId, ...(repaired && { repaired: true }) };
      return role === 'system'
        ? { type: INSTRUCTION_ADDED, payload: common, schemaVersion: 1, counts: message.counts }
        : {
            type: MESSAGE_APPENDED,
            payload: { ...common, toolCallIds },
            schemaVersion: 1,
            counts: message.counts,
          };
    });
    const state = events.reduce(
      (folded, event, index) => foldOwnLoop(folded, { ...event, sequence: header.head + 1 + index }),
      loop,
    );
    const { firstSequence, lastSequence } = await this.record(command, {
      expectedHead: header.head,
      events,
      state: state as unknown as JsonObject,
    });
    const eventIds = events.map((_, index) => eventIdOf(command.runId, firstSequence + index));
    return { firstSequence, lastSequence, lastMessageSequence: lastSequence, eventIds };
  }

  async finishRun(command: FinishRun): Promise<RunHeader> {
    const header = await this.header(command);
    await this.record(command, {
      expectedHead: header.head,
      events: [{ type: RUN_COMPLETED, payload: { outputs: {} }, schemaVersion: 1 }],
      state: header.state,
      status: 'completed',
    });
    return this.header(command);
  }

  private record({ tenantId, runId, commandId }: Addressed, { state, status, ...rest }: Recording) {
    const header = { status: status ?? ('running' as const), state };
    return this.log.append({
      tenantId,
      runId,
      at,
      header,
      ...rest,
      ...(commandId !== undefined && { commandId }),
    });
  }

  private async header({ tenantId, runId }: Addressed): Promise<RunHeader> {
    const header = await this.log.header(tenantId, runId);
    if (!header) throw new NotFoundError('The run');
    return header;
  }
}
