import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import {
  assertSubject,
  deliveryPolicy,
  encodeBody,
  reviveMessage,
  subjectMatches,
  ValidationError,
  type BusSubscription,
  type ConsumerOptions,
  type Delivery,
  type DurableMessage,
  type KeptLetter,
  type Logger,
  type MessageBus,
  type RequestOptions,
} from '@palimpsest/kernel';
import { STREAMS, type JsonValue, type StreamSpec } from '@palimpsest/contracts';
import { DeadLetterOffice } from './dead-letter-office.js';
import { NatsConsumer } from './nats-consumer.js';
import { nameOf, NatsLink } from './nats-link.js';
import { RequestReply } from './request-reply.js';
import { Streams, type StreamLimits } from './streams.js';

export type NatsBusOptions = {
  /** `nats://host:port`, several separated by commas; user and password or a token in the first. */
  readonly url: string;
  /** Shown in the server's list of connections. */
  readonly name: string;
  readonly logger: Logger;
  /** Longest wait for the first connection. Default 2000. */
  readonly firstConnectMs?: number;
  readonly streamLimits?: StreamLimits;
};

/**
 * A bus on NATS with JetStream, server 2.9.10 or newer. Resolves when the server is there, or after
 * `firstConnectMs` without it: then `isConnected()` is false, calls that need the server are
 * `ServiceUnavailableError`s, and everything registered starts to work when it comes.
 */
export async function connectNatsBus(options: NatsBusOptions): Promise<NatsBus> {
  const link = new NatsLink(options);
  await link.waitUntilUp(options.firstConnectMs ?? 2000);
  return new NatsBus(link, options);
}

export class NatsBus implements MessageBus {
  readonly #link: NatsLink;
  readonly #logger: Logger;
  readonly #requests: RequestReply;
  readonly #streams: Streams;
  readonly #deadLetters: DeadLetterOffice;
  readonly #consumers = new Set<NatsConsumer>();

  constructor(link: NatsLink, options: Pick<NatsBusOptions, 'logger' | 'streamLimits'>) {
    this.#link = link;
    this.#logger = options.logger;
    this.#requests = new RequestReply(link, options.logger);
    this.#streams = new Streams(link, options.streamLimits ?? {}, options.logger);
    this.#deadLetters = new DeadLetterOffice(this.#streams, options.logger);
  }

  async request(subject: string, body: JsonValue, options?: RequestOptions): Promise<JsonValue> {
    assertSubject(subject);
    return this.#requests.request(subject, body, options);
  }

  async respond(
    subject: string,
    queue: string,
    handler: (body: JsonValue) => Promise<JsonValue>,
  ): Promise<BusSubscription> {
    assertSubject(subject);
    return this.#requests.respond({ subject, queue, handler });
  }

  ensureStream(stream: StreamSpec): Promise<void> {
    return this.#streams.ensure(stream);
  }

  async publish(stream: StreamSpec, message: DurableMessage): Promise<void> {
    assertSubject(message.subject);
    if (!subjectMatches(stream.subject, message.subject)) {
      throw new ValidationError('The subject does not belong to the stream.', { stream: stream.name });
    }
    await this.#streams.publish(stream, message);
  }

  async consume(
    options: ConsumerOptions,
    handler: (delivery: Delivery) => Promise<void>,
  ): Promise<BusSubscription> {
    await this.#streams.ensure(options.stream);
    await this.#streams.ensure(STREAMS.deadLetters);
    const consumer = new NatsConsumer({
      link: this.#link,
      streams: this.#streams,
      deadLetters: this.#deadLetters,
      logger: this.#logger,
      stream: options.stream,
      durable: options.durable,
      policy: deliveryPolicy(options),
      handler,
    });
    const close = async () => {
      await consumer.close();
      this.#consumers.delete(consumer);
    };
    this.#consumers.add(consumer);
    try {
      await consumer.start();
    } catch (error) {
      await close();
      throw error;
    }
    return { close };
  }

  deadLetters(stream: StreamSpec, limit: number): Promise<readonly KeptLetter[]> {
    return this.#deadLetters.read(stream, limit);
  }

  async retryDeadLetter(stream: StreamSpec, id: string): Promise<boolean> {
    const letters = await this.#deadLetters.lettersOf(stream, id);
    const newest = letters.at(-1);
    if (!newest) return false;
    // Published first: of a crash in between comes a second message, which its consumers take for what it is.
    await this.publish(stream, reviveMessage(newest));
    await this.#deadLetters.drop(letters);
    return true;
  }

  async dropDeadLetter(stream: StreamSpec, id: string): Promise<boolean> {
    const letters = await this.#deadLetters.lettersOf(stream, id);
    await this.#deadLetters.drop(letters);
    return letters.length > 0;
  }

  notify(subject: string, body: JsonValue): void {
    assertSubject(subject);
    const payload = encodeBody(body, this.#link.maxPayload);
    if (this.#link.isUp) this.#link.live().publish(subject, payload);
  }

  async listen(
    subject: string,
    handler: (body: JsonValue, subject: string) => void,
  ): Promise<BusSubscription> {
    let subscription: Subscription | undefined;
    const stopWaiting = this.#link.onUp((connection) => {
      subscription ??= this.#subscribe(connection, subject, handler);
    });
    await this.#link.flush();
    return {
      close: async () => {
        stopWaiting();
        subscription?.unsubscribe();
      },
    };
  }

  isConnected(): boolean {
    return this.#link.isUp;
  }

  /** Consumers first: their handlers may still ask others. */
  async close(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.close()));
    this.#consumers.clear();
    await this.#requests.close();
    await this.#link.close();
  }

  #subscribe(
    connection: NatsConnection,
    subject: string,
    handler: (body: JsonValue, subject: string) => void,
  ): Subscription {
    return connection.subscribe(subject, {
      callback: (error, message) => {
        try {
          if (error) throw error;
          handler(message.json<JsonValue>(), message.subject);
        } catch (failure) {
          this.#logger.warn({ subject, reason: nameOf(failure) }, 'a listener failed');
        }
      },
    });
  }
}
