import {
  assertSubject,
  deliveryPolicy,
  DURABLE_OVERHEAD_BYTES,
  reviveMessage,
  ServiceUnavailableError,
  silentLogger,
  subjectMatches,
  systemClock,
  ValidationError,
  type BusSubscription,
  type Clock,
  type ConsumerOptions,
  type Delivery,
  type DurableMessage,
  type KeptLetter,
  type Logger,
  type MessageBus,
  type RequestOptions,
  type StreamPosition,
  type StreamStore,
} from '@palimpsest/kernel';
import type { JsonValue, StreamSpec } from '@palimpsest/contracts';
import { BodyCopier } from './body-copier.js';
import { Listeners } from './listeners.js';
import { Responders } from './responders.js';
import { StreamConsumer } from './stream-consumer.js';
import { systemTimers, type Timers } from './timers.js';

export type InProcessBusOptions = {
  readonly store: StreamStore;
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly timers?: Timers;
  /** Largest body in bytes of JSON. Default 1 MiB, what a NATS server takes unless told otherwise. */
  readonly maxBodyBytes?: number;
};

/** A work queue is a stream with one position, which all its consumers share. */
const WORK_QUEUE_DURABLE = '*';

/** Messages of a limits stream wait this long for a durable that has stopped reading. */
const KEEP_UNREAD_MS = 14 * 24 * 3600 * 1000;

/** The bus of one process: same promises as the one on NATS, durable as far as its store is. */
export class InProcessBus implements MessageBus {
  readonly #store: StreamStore;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #bodies: BodyCopier;
  readonly #durableBodies: BodyCopier;
  readonly #responders: Responders;
  readonly #listeners: Listeners;
  readonly #consumers = new Set<StreamConsumer>();
  readonly #ensured = new Map<string, Promise<void>>();
  #closed = false;

  constructor(options: InProcessBusOptions) {
    this.#store = options.store;
    this.#logger = options.logger ?? silentLogger;
    this.#clock = options.clock ?? systemClock;
    this.#timers = options.timers ?? systemTimers;
    const limit = options.maxBodyBytes ?? 1024 * 1024;
    this.#bodies = new BodyCopier(limit);
    this.#durableBodies = new BodyCopier(limit - DURABLE_OVERHEAD_BYTES);
    this.#responders = new Responders(this.#timers, this.#bodies);
    this.#listeners = new Listeners(this.#bodies, this.#logger);
  }

  async request(subject: string, body: JsonValue, options?: RequestOptions): Promise<JsonValue> {
    this.#assertOpen();
    assertSubject(subject);
    return this.#responders.request(subject, body, options);
  }

  async respond(
    subject: string,
    _queue: string,
    handler: (body: JsonValue) => Promise<JsonValue>,
  ): Promise<BusSubscription> {
    this.#assertOpen();
    assertSubject(subject);
    return this.#responders.add(subject, handler);
  }

  async ensureStream(stream: StreamSpec): Promise<void> {
    this.#assertOpen();
    if (stream.kind === 'limits') return;
    const known = this.#ensured.get(stream.name);
    if (known) return known;
    const added = this.#store.addDurable(positionOf(stream, WORK_QUEUE_DURABLE));
    this.#ensured.set(stream.name, added);
    added.catch(() => this.#ensured.delete(stream.name));
    return added;
  }

  async publish(stream: StreamSpec, message: DurableMessage): Promise<void> {
    this.#assertOpen();
    assertSubject(message.subject);
    if (!subjectMatches(stream.subject, message.subject)) {
      throw new ValidationError('The subject does not belong to the stream.', { stream: stream.name });
    }
    const body = this.#durableBodies.copy(message.body);
    await this.ensureStream(stream);
    const at = this.#clock.now();
    await this.#store.append({
      stream: stream.name,
      message: { id: message.id, subject: message.subject, body },
      at,
      ...(stream.kind === 'limits' && { expiresAt: new Date(at.getTime() + KEEP_UNREAD_MS) }),
    });
    for (const consumer of this.#consumers) if (consumer.stream === stream.name) consumer.wake();
  }

  async consume(
    options: ConsumerOptions,
    handler: (delivery: Delivery) => Promise<void>,
  ): Promise<BusSubscription> {
    await this.ensureStream(options.stream);
    const position = positionOf(options.stream, options.durable);
    await this.#store.addDurable(position);
    this.#assertOpen();
    const consumer = new StreamConsumer({
      store: this.#store,
      clock: this.#clock,
      timers: this.#timers,
      logger: this.#logger,
      position,
      durable: options.durable,
      policy: deliveryPolicy(options),
      handler,
    });
    this.#consumers.add(consumer);
    consumer.wake();
    return {
      close: async () => {
        this.#consumers.delete(consumer);
        await consumer.close();
      },
    };
  }

  async deadLetters(stream: StreamSpec, limit: number): Promise<readonly KeptLetter[]> {
    this.#assertOpen();
    return this.#store.deadLetters(stream.name, limit);
  }

  async retryDeadLetter(stream: StreamSpec, id: string): Promise<boolean> {
    this.#assertOpen();
    const letters = await this.#store.lettersOf(stream.name, id);
    const newest = letters.at(-1);
    if (!newest) return false;
    // Published first: of a crash in between comes a second message, which its consumers take for what it is.
    await this.publish(stream, reviveMessage(newest));
    await this.#drop(letters);
    return true;
  }

  async dropDeadLetter(stream: StreamSpec, id: string): Promise<boolean> {
    this.#assertOpen();
    const letters = await this.#store.lettersOf(stream.name, id);
    await this.#drop(letters);
    return letters.length > 0;
  }

  notify(subject: string, body: JsonValue): void {
    assertSubject(subject);
    if (!this.#closed) this.#listeners.notify(subject, body);
  }

  async listen(
    subject: string,
    handler: (body: JsonValue, subject: string) => void,
  ): Promise<BusSubscription> {
    this.#assertOpen();
    return this.#listeners.add({ pattern: subject, handler });
  }

  isConnected(): boolean {
    return !this.#closed;
  }

  /** Consumers first: their handlers may still ask others. */
  async close(): Promise<void> {
    await Promise.all([...this.#consumers].map((consumer) => consumer.close()));
    this.#consumers.clear();
    await this.#responders.close();
    this.#listeners.clear();
    this.#closed = true;
  }

  async #drop(letters: readonly KeptLetter[]): Promise<void> {
    for (const { stream, place } of letters) await this.#store.dropLetter(stream, place);
  }

  #assertOpen(): void {
    if (this.#closed) throw new ServiceUnavailableError('The bus');
  }
}

function positionOf(stream: StreamSpec, durable: string): StreamPosition {
  return { stream: stream.name, durable: stream.kind === 'work' ? WORK_QUEUE_DURABLE : durable };
}
