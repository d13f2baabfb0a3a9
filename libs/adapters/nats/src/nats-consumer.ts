import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Msg } from '@nats-io/transport-node';
import {
  NO_OUTCOME,
  outcomeOfFailure,
  TerminalError,
  type DeadLetter,
  type Delivery,
  type DeliveryPolicy,
  type Logger,
} from '@palimpsest/kernel';
import type { JsonValue, StreamSpec } from '@palimpsest/contracts';
import { retryDelayMs } from './connection-options.js';
import type { DeadLetterOffice } from './dead-letter-office.js';
import { jetStreamMessage, type JetStreamMessage } from './jetstream-message.js';
import { nameOf, type NatsLink } from './nats-link.js';
import { PullSlot } from './pull-slot.js';
import type { Streams } from './streams.js';

const WAIT_FOR_LINK_MS = 60_000;
const DEAD_LETTER_RETRY_MS = 1000;

export type NatsConsumerParts = {
  readonly link: NatsLink;
  readonly streams: Streams;
  readonly deadLetters: DeadLetterOffice;
  readonly logger: Logger;
  readonly stream: StreamSpec;
  readonly durable: string;
  readonly policy: DeliveryPolicy;
  readonly handler: (delivery: Delivery) => Promise<void>;
};

/** An instance of a durable consumer: as many hands as its concurrency, each with one message at a time. */
export class NatsConsumer {
  readonly #closing = new AbortController();
  readonly #slots = new Set<PullSlot>();
  readonly #stopWatching: () => void;
  #hands: readonly Promise<void>[] = [];
  #ensured: Promise<void> | undefined;

  constructor(private readonly parts: NatsConsumerParts) {
    // One for each hand: no sign of a leak.
    setMaxListeners(0, this.#closing.signal);
    this.#stopWatching = parts.link.onLoss(() => {
      this.#ensured = undefined;
      for (const slot of this.#slots) slot.interrupt();
    });
  }

  /** Rejects only where the durable can never be made; a server that is down is waited for in the background. */
  async start(): Promise<void> {
    try {
      if (this.parts.link.isUp) await this.#ensure();
    } catch (error) {
      if (error instanceof TerminalError) throw error;
      this.#warn(error, 'the consumer is made later');
    }
    this.#hands = Array.from({ length: this.parts.policy.concurrency }, () => this.#work());
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const slot of this.#slots) slot.interrupt();
    await Promise.all(this.#hands);
    this.#stopWatching();
  }

  async #work(): Promise<void> {
    let slot: PullSlot | undefined;
    for (let failures = 0; !this.#closing.signal.aborted;) {
      const connection = await this.parts.link.waitUntilUp(WAIT_FOR_LINK_MS, this.#closing.signal);
      if (!connection) continue;
      try {
        await this.#ensure();
        slot ??= this.#open(connection);
        if (await this.#takeOne(slot)) failures = 0;
        else await this.#rest((failures += 1));
      } catch (error) {
        this.#warn(error, 'the stream cannot be read');
        await this.#rest((failures += 1));
      }
    }
    if (slot) await this.#putDown(slot);
  }

  #open(connection: ConstructorParameters<typeof PullSlot>[0]): PullSlot {
    const slot = new PullSlot(connection, { stream: this.parts.stream.name, durable: this.parts.durable });
    this.#slots.add(slot);
    return slot;
  }

  async #putDown(slot: PullSlot): Promise<void> {
    for (const message of await slot.close(this.parts.link)) jetStreamMessage(message).giveBack(0);
    this.#slots.delete(slot);
  }

  /** False where stream or durable have to be made again. */
  async #takeOne(slot: PullSlot): Promise<boolean> {
    if (this.#closing.signal.aborted) return true;
    const pulled = await slot.next();
    if (pulled.kind === 'message') await this.#handle(pulled.message);
    if (pulled.kind === 'missing') this.#ensured = undefined;
    return pulled.kind !== 'missing';
  }

  /** Shared by all hands; made anew after a loss. */
  #ensure(): Promise<void> {
    this.#ensured ??= this.parts.streams
      .ensureDurable(this.parts.stream, this.parts.durable, this.parts.policy)
      .catch((error: unknown) => {
        this.#ensured = undefined;
        throw error;
      });
    return this.#ensured;
  }

  async #rest(failures: number): Promise<void> {
    const { signal } = this.#closing;
    await pause(retryDelayMs(failures), undefined, { signal }).catch(() => undefined);
  }

  /** Never rejects: a message without an answer comes again after the ack wait. */
  async #handle(raw: Msg): Promise<void> {
    const message = jetStreamMessage(raw);
    try {
      await this.#settle(message);
    } catch (error) {
      this.#warn(error, 'a delivery was not settled; it comes again', message);
    }
  }

  async #settle(message: JetStreamMessage): Promise<void> {
    const { policy } = this.parts;
    const { attempt } = message;
    if (attempt > policy.maxDeliveries)
      return this.#bury(message, { attempts: attempt - 1, code: NO_OUTCOME });
    try {
      await this.parts.handler(deliveryOf(message));
    } catch (error) {
      const outcome = outcomeOfFailure(error, attempt, policy);
      if (outcome.kind === 'retry') return message.giveBack(outcome.delayMs);
      return this.#bury(message, { attempts: attempt, code: outcome.code });
    }
    message.acknowledge();
  }

  /** Acknowledged only when the letter is durable; until then the message stays in its stream. */
  async #bury(message: JetStreamMessage, end: { attempts: number; code: string }): Promise<void> {
    const { stream, durable } = this.parts;
    const { id, subject, sequence } = message;
    const letter = { id, stream: stream.name, durable, subject, ...bodyOf(message), ...end };
    try {
      await this.parts.deadLetters.add(letter, sequence);
    } catch (error) {
      message.giveBack(DEAD_LETTER_RETRY_MS);
      throw error;
    }
    message.acknowledge();
  }

  #warn(error: unknown, text: string, message?: JetStreamMessage): void {
    const { stream, durable, logger } = this.parts;
    const which = message && { messageId: message.id, attempt: message.attempt };
    logger.warn({ stream: stream.name, durable, reason: nameOf(error), ...which }, text);
  }
}

function deliveryOf(message: JetStreamMessage): Delivery {
  const { id, subject, attempt } = message;
  let body: JsonValue;
  try {
    body = message.body();
  } catch (cause) {
    throw new TerminalError('validation_error', 'The message is not JSON.', { cause });
  }
  return { id, subject, body, attempt, working: () => message.working() };
}

/** What is not JSON cannot stand in a letter. */
function bodyOf(message: JetStreamMessage): Pick<DeadLetter, 'body' | 'bodyOmitted'> {
  try {
    return { body: message.body() };
  } catch {
    return { body: null, bodyOmitted: true };
  }
}
