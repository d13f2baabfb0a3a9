import { Inject, Injectable } from '@nestjs/common';
import {
  MESSAGE_APPENDED,
  messageAppendedSchema,
  placeOfEventId,
  WORKER_RETURNED,
  workerReturnedSchema,
  type MessageContent,
  type RecordedEvent,
  type TokenCounts,
} from '@palimpsest/contracts';
import {
  ARTIFACT_STORE,
  ArtifactErasedError,
  EVENT_LOG,
  isErased,
  NotFoundError,
  TerminalError,
  TOKEN_COUNTER,
  type ArtifactStore,
  type EventLog,
  type TokenCounter,
} from '@palimpsest/kernel';
import { LOOP_TURN_TYPES, loopMessage, renderMessage, repairText } from '@palimpsest/transcript';
import { UnpinnableEventError } from '../domain/gateway-errors.js';
import type { WindowedRun } from '../domain/windowed-run.js';

/** A text that is durable, and what it counts. */
export type PinnedContent = {
  readonly artifactId: string;
  readonly counts: TokenCounts;
  readonly repaired: boolean;
  readonly pinnedEventId?: string;
};

/** What is to be pinned: stored where it is not yet. */
@Injectable()
export class PinnedContents {
  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(ARTIFACT_STORE) private readonly artifacts: ArtifactStore,
    @Inject(TOKEN_COUNTER) private readonly tokens: TokenCounter,
  ) {}

  /** A text of the caller's, stored as given, like a turn. `origin`: of the request. */
  async ofText(run: WindowedRun, text: string, origin: string): Promise<PinnedContent> {
    const content: MessageContent = { role: 'user', text: repairText(text) };
    const [counts] = await this.tokens.countAll([renderMessage(content)]);
    if (!counts) throw new CountMissingError();
    return { artifactId: await this.store(run, content, origin), counts, repaired: content.text !== text };
  }

  /**
   * What an event of the run says in its transcript.
   * @throws NotFoundError, UnpinnableEventError, ArtifactErasedError
   */
  async ofEvent(run: WindowedRun, eventId: string): Promise<PinnedContent> {
    const event = await this.find(run, eventId);
    if (!event) throw new NotFoundError('The event');
    const artifactId = await (run.ownLoop ? this.ofMessage(run, event) : this.ofLoop(run, event));
    if (artifactId === undefined || !event.counts) throw new UnpinnableEventError(eventId);
    return { artifactId, counts: event.counts, repaired: false, pinnedEventId: eventId };
  }

  private async find({ header }: WindowedRun, eventId: string): Promise<RecordedEvent | undefined> {
    const { tenantId, runId } = header;
    const place = placeOfEventId(eventId);
    if (place?.runId !== runId || place.sequence > header.head) return undefined;
    const { events } = await this.log.readRun({ tenantId, runId, fromSequence: place.sequence, limit: 1 });
    return events.find((event) => event.eventId === eventId);
  }

  private async ofMessage(run: WindowedRun, event: RecordedEvent): Promise<string | undefined> {
    if (event.type !== MESSAGE_APPENDED) return undefined;
    return this.unerased(run, messageAppendedSchema.parse(event.payload).artifactId);
  }

  /** What a worker returned is its own artifact; else the same as the assembler's, of the event's own origin. */
  private async ofLoop(run: WindowedRun, event: RecordedEvent): Promise<string | undefined> {
    if (event.counts === undefined) return undefined;
    if (event.type === WORKER_RETURNED)
      return this.unerased(run, workerReturnedSchema.parse(event.payload).artifactId);
    const isTurn = LOOP_TURN_TYPES.some((type) => type === event.type);
    const content = isTurn ? loopMessage(event) : undefined;
    return content && this.store(run, content, `loop:${run.header.runId}:${event.sequence}`);
  }

  private async unerased({ header }: WindowedRun, artifactId: string): Promise<string> {
    const reading = await this.artifacts.getForRun(header.tenantId, header.runId, artifactId);
    if (reading && isErased(reading)) throw new ArtifactErasedError(artifactId);
    return artifactId;
  }

  private async store({ header }: WindowedRun, content: MessageContent, origin: string): Promise<string> {
    const { tenantId, runId } = header;
    const [artifactId] = await this.artifacts.put(tenantId, runId, [{ type: 'message', origin, content }]);
    if (artifactId === undefined) throw new CountMissingError();
    return artifactId;
  }
}

class CountMissingError extends TerminalError {
  constructor() {
    super('internal_error', 'A service answered for fewer texts than it was given.');
  }
}
