import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  eventIdOf,
  isTerminalStatus,
  PIN_ADDED,
  pinIdSchema,
  pinnedTokens,
  type RunHeader,
} from '@palimpsest/contracts';
import {
  EVENT_LOG,
  ID_SOURCE,
  NotFoundError,
  readEvents,
  RunNotActiveError,
  type EventLog,
  type IdSource,
} from '@palimpsest/kernel';
import type { AddPinRequest } from '../domain/requests.js';
import { windowedRunOf, type WindowedRun } from '../domain/windowed-run.js';
import { RUN_LOG_COMMANDS, type RunLogCommands } from '../ports.js';
import type { Attempt } from './idempotent-requests.js';
import { PinnedContents } from './pinned-contents.js';

export type AddedPin = {
  readonly pinId: string;
  readonly eventId: string;
  /** Of this pin, and of all pins of the run after it, in the run's unit. */
  readonly tokens: number;
  readonly pinnedTokens: number;
};

export type RemovedPin = { readonly pinId: string; readonly removed: true };

export type PinList = {
  readonly pins: readonly {
    readonly pinId: string;
    readonly eventId: string;
    readonly tokens: number;
    /** ISO 8601. */
    readonly at: string;
  }[];
  readonly pinnedTokens: number;
};

/** Texts that every window of a run feeds verbatim. */
@Injectable()
export class RunPins {
  constructor(
    @Inject(PinnedContents) private readonly contents: PinnedContents,
    @Inject(RUN_LOG_COMMANDS) private readonly runLog: RunLogCommands,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(ID_SOURCE) private readonly ids: IdSource,
  ) {}

  /** Content first, then the event that refers to it. The pin's id follows from the attempt: a retry adds no second one. */
  async add(run: WindowedRun, request: AddPinRequest, attempt: Attempt): Promise<AddedPin> {
    const { tenantId, runId, status } = run.header;
    if (isTerminalStatus(status) && attempt.commandId === undefined)
      throw new RunNotActiveError(runId, status);
    const origin = `${runId}/${attempt.commandId ?? this.ids.requestId()}/pin`;
    const { text, eventId = '' } = request;
    const content =
      text === undefined
        ? await this.contents.ofEvent(run, eventId)
        : await this.contents.ofText(run, text, origin);
    const added = await this.runLog.addPin({
      tenantId,
      runId,
      pinId: pinIdOf(origin),
      ...content,
      ...commandOf(attempt),
    });
    return {
      pinId: added.pinId,
      eventId: added.eventId,
      tokens: content.counts[run.tokenCounter],
      pinnedTokens: added.pinnedTokens,
    };
  }

  async remove({ header }: WindowedRun, pinId: string, attempt: Attempt): Promise<RemovedPin> {
    if (!pinIdSchema.safeParse(pinId).success) throw new NotFoundError('The pin');
    const { tenantId, runId } = header;
    await this.runLog.removePin({ tenantId, runId, pinId, ...commandOf(attempt) });
    return { pinId, removed: true };
  }

  /** In log order. */
  async list(header: RunHeader): Promise<PinList> {
    const { runId } = header;
    const pinned = windowedRunOf(header)?.pins ?? {};
    const pins = Object.entries(pinned).sort(([, a], [, b]) => a.sequence - b.sequence);
    const [first] = pins;
    const times = first ? await this.timesOf(header, first[1].sequence) : new Map<number, string>();
    return {
      pins: pins.map(([pinId, { sequence, tokens }]) => ({
        pinId,
        eventId: eventIdOf(runId, sequence),
        tokens,
        at: times.get(sequence) ?? '',
      })),
      pinnedTokens: pinnedTokens({ pins: pinned }),
    };
  }

  /** When each place of a pin was written. */
  private async timesOf(header: RunHeader, from: number): Promise<ReadonlyMap<number, string>> {
    const { tenantId, runId, head } = header;
    const times = new Map<number, string>();
    const range = { tenantId, runId, from, to: head, types: [PIN_ADDED] };
    for await (const { sequence, timestamp } of readEvents(this.log, range)) times.set(sequence, timestamp);
    return times;
  }
}

function pinIdOf(origin: string): string {
  return `pin_${createHash('sha256').update(origin).digest('hex').slice(0, 24)}`;
}

function commandOf({ commandId }: Attempt): Attempt {
  return commandId === undefined ? {} : { commandId };
}
