import type { JsonValue, StreamSpec } from '@palimpsest/contracts';

export type RequestOptions = {
  /** Default 2000. When it passes, or nobody listens: `ServiceUnavailableError`. */
  readonly timeoutMs?: number;
};

export type BusSubscription = { close(): Promise<void> };

export type DurableMessage = {
  /** A second publish of the same id to the stream is dropped while the stream remembers it (at least 2 minutes). */
  readonly id: string;
  readonly subject: string;
  readonly body: JsonValue;
};

export type Delivery = {
  readonly id: string;
  readonly subject: string;
  readonly body: JsonValue;
  /** 1 for the first delivery. */
  readonly attempt: number;
  /** Tells the bus that a long job is alive. */
  working(): void;
};

export type ConsumerOptions = {
  readonly stream: StreamSpec;
  /** One durable per consumer: instances of the same name share the work, the position survives restarts. */
  readonly durable: string;
  /** Most messages at work at once in this instance. Default 1. */
  readonly concurrency?: number;
  /** Deliveries of one message before it goes to the dead letter. Default 5. */
  readonly maxAttempts?: number;
  /** The same for deliveries that ended in a `RetryableError`: how long an outage may last. Default `maxAttempts`. */
  readonly maxRetryableAttempts?: number;
  /** Silence after which a message is delivered again. Default 30 s. */
  readonly ackWaitMs?: number;
  /** Delay before a failed message is delivered again: `base · 2^(attempt−1)`, at most 30 s. Default base 250. */
  readonly retryBaseMs?: number;
};

/** A message that no consumer could handle: ids and the reason's code, and the body, which holds no content by rule. */
export type DeadLetter = {
  readonly id: string;
  readonly stream: string;
  readonly durable: string;
  readonly subject: string;
  readonly body: JsonValue;
  readonly attempts: number;
  readonly code: string;
  /** The body was too large to be kept beside what is said about it, or was not JSON: such a letter cannot be retried. */
  readonly bodyOmitted?: true;
};

/** A dead letter as it is kept. */
export type KeptLetter = DeadLetter & {
  /** Names it among all letters of its stream; a retried message that dies again has another. */
  readonly place: string;
  readonly buriedAt: Date;
};

/**
 * Two ways to talk. `request`/`respond`: ask now, any instance answers, errors keep their code and class.
 * `publish`/`consume`: durable, at least once, acknowledged when the handler returns. A handler that throws a
 * `TerminalError` sends the message to the dead letter; a `RetryableError` delays it by at least `retryAfterMs`; anything
 * else is delivered again under the consumer's policy, then dead-lettered. `notify`/`listen`: a wake-up that may be lost.
 */
export interface MessageBus {
  request(subject: string, body: JsonValue, options?: RequestOptions): Promise<JsonValue>;
  respond(
    subject: string,
    queue: string,
    handler: (body: JsonValue) => Promise<JsonValue>,
  ): Promise<BusSubscription>;
  /** Creates the stream where it is missing. Idempotent. */
  ensureStream(stream: StreamSpec): Promise<void>;
  /** Durable when it resolves. */
  publish(stream: StreamSpec, message: DurableMessage): Promise<void>;
  consume(options: ConsumerOptions, handler: (delivery: Delivery) => Promise<void>): Promise<BusSubscription>;
  /** Newest last, at most `limit`. */
  deadLetters(stream: StreamSpec, limit: number): Promise<readonly KeptLetter[]>;
  /**
   * Publishes a dead message to its stream again, under a new id and with all its attempts, then drops its letters. Twice
   * at once it is one message. False where there is no letter of that id; `ValidationError` where its body was not kept.
   */
  retryDeadLetter(stream: StreamSpec, id: string): Promise<boolean>;
  /** Drops every letter of a message, for good. False where there is none. */
  dropDeadLetter(stream: StreamSpec, id: string): Promise<boolean>;
  notify(subject: string, body: JsonValue): void;
  /** `subject` may end in `.>`. */
  listen(subject: string, handler: (body: JsonValue, subject: string) => void): Promise<BusSubscription>;
  /** True while the bus can be reached. */
  isConnected(): boolean;
  /** Stops taking messages, waits for those at work, closes. */
  close(): Promise<void>;
}
