import {
  CONTEXT_SUMMARIZED,
  eventIdOf,
  foldOwnLoop,
  INSTRUCTION_ADDED,
  MESSAGE_APPENDED,
  ownLoopStatusAfter,
  PIN_ADDED,
  PIN_REMOVED,
  RUN_COMPLETED,
  RUN_STARTED,
  startedOwnLoop,
  WINDOW_PLANNED,
  type JsonObject,
  type NewRunEvent,
  type OwnLoopState,
} from '@palimpsest/contracts';
import type { ArtifactStore, EventLog } from '@palimpsest/kernel';

export const TENANT = 'acme';
export const SOURCE = 'source-run';

const counts = { o200k_base: 2, cl100k_base: 3, chars: 5 };
const context = {
  transcriptTokenBudget: 400,
  tokenCounter: 'chars',
  keepLastTurns: 1,
  strategy: 'sliding-window',
} as const;

/** Writes the log of an own-loop run as run-log and assembler would: every append with its folded header. */
export class SourceRun {
  readonly #eventLog: EventLog;
  readonly #artifacts: ArtifactStore;
  #events: NewRunEvent[] = [];
  #written = 0;
  #state: OwnLoopState | undefined;
  #artifactsMade = 0;

  constructor(eventLog: EventLog, artifacts: ArtifactStore) {
    this.#eventLog = eventLog;
    this.#artifacts = artifacts;
  }

  get length(): number {
    return this.#written + this.#events.length;
  }

  start(): this {
    const payload = {
      workflowId: 'palimpsest-external',
      inputs: {},
      configurable: { context: { ...context } },
    };
    return this.#add(RUN_STARTED, payload);
  }

  async instruction(): Promise<this> {
    return this.#add(INSTRUCTION_ADDED, { role: 'system', artifactId: await this.#artifact('message') });
  }

  async message(
    role: 'user' | 'assistant' | 'tool',
    toolCallIds: string[] = [],
    calledAt?: number,
  ): Promise<this> {
    const payload = { role, artifactId: await this.#artifact('message'), toolCallIds };
    return this.#add(MESSAGE_APPENDED, payload, calledAt);
  }

  /** Many user messages that all say the same. */
  async messages(count: number): Promise<this> {
    const payload = { role: 'user', artifactId: await this.#artifact('message'), toolCallIds: [] };
    for (let message = 0; message < count; message += 1) this.#add(MESSAGE_APPENDED, payload);
    return this;
  }

  /** Returns the artifact of the summary. */
  async summary(): Promise<string> {
    const summaryRef = await this.#artifact('context.summary');
    this.#add(CONTEXT_SUMMARIZED, {
      iteration: 1,
      replacedTurns: [eventIdOf(SOURCE, 1)],
      summaryRef,
      tokenCounter: 'chars',
      tokensBefore: 10,
      tokensAfter: 4,
    });
    return summaryRef;
  }

  /** Returns the artifact of its one cut. */
  async window(iteration: number, summarySequences: number[]): Promise<string> {
    const artifactId = await this.#artifact('context.rendering');
    const cuts = [{ sequence: 1, artifactId, tokens: 3 }];
    const asOfSequence = this.length - 1;
    const places = { asOfSequence, tailFromSequence: asOfSequence, islands: [], pending: [] };
    this.#add(WINDOW_PLANNED, { iteration, summarySequences, cuts, ...places });
    return artifactId;
  }

  pin(pinId: string): this {
    return this.#add(PIN_ADDED, { pinId, artifactId: 'pinned' });
  }

  unpin(pinId: string): this {
    return this.#add(PIN_REMOVED, { pinId });
  }

  finish(): this {
    return this.#add(RUN_COMPLETED, { outputs: {} });
  }

  /** Makes durable what was added. */
  async write(): Promise<void> {
    const events = this.#events;
    for (const [index, event] of events.entries()) {
      const placed = { ...event, sequence: this.#written + index };
      this.#state = foldOwnLoop(this.#state ?? startedOwnLoop(event.payload), placed);
    }
    await this.#eventLog.append({
      tenantId: TENANT,
      runId: SOURCE,
      expectedHead: this.#written === 0 ? 'no-run' : this.#written - 1,
      events,
      at: new Date('2026-01-01T00:00:00.000Z'),
      workflowId: 'palimpsest-external',
      header: {
        status: ownLoopStatusAfter(events.at(-1)?.type ?? ''),
        state: this.#state as unknown as JsonObject,
      },
    });
    this.#written += events.length;
    this.#events = [];
  }

  #add(type: string, payload: JsonObject, calledAt?: number): this {
    const said = type === MESSAGE_APPENDED || type === INSTRUCTION_ADDED || type === PIN_ADDED;
    this.#events.push({
      type,
      payload,
      schemaVersion: 1,
      ...(said && { counts }),
      ...(calledAt !== undefined && { causationId: eventIdOf(SOURCE, calledAt) }),
    });
    return this;
  }

  async #artifact(type: 'message' | 'context.summary' | 'context.rendering'): Promise<string> {
    this.#artifactsMade += 1;
    const content = { text: `${type} ${this.#artifactsMade}` };
    const [artifactId = ''] = await this.#artifacts.put(TENANT, SOURCE, [{ type, content }]);
    return artifactId;
  }
}
