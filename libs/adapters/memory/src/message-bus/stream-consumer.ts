import {
  isPalimpsestError,
  NO_OUTCOME,
  outcomeOfFailure,
  type Clock,
  type Delivery,
  type DeliveryPolicy,
  type Logger,
  type StreamDelivery,
  type StreamPosition,
  type StreamStore,
  type TakenMessage,
} from '@palimpsest/kernel';
import type { Timers } from './timers.js';

/** Another process may write to the same store, and a wake-up is only a hint. */
const IDLE_LOOK_MS = 5000;
const STORE_RETRY_MS = 500;

export type StreamConsumerParts = {
  readonly store: StreamStore;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Where the position stands; of a work queue all consumers share one. */
  readonly position: StreamPosition;
  readonly durable: string;
  readonly policy: DeliveryPolicy;
  readonly handler: (delivery: Delivery) => Promise<void>;
};

/** Takes due messages while it has free hands, and settles each by what its handler did. */
export class StreamConsumer {
  readonly #atWork = new Set<Promise<void>>();
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #closed = false;
  /** True where a look found as much as it had hands for, or a message was put off: the next look is not idle. */
  #mayHaveMore = false;
  #cancelTimer: () => void = () => undefined;

  constructor(private readonly parts: StreamConsumerParts) {}

  get stream(): string {
    return this.parts.position.stream;
  }

  /** Looks for due messages, soon. Calls while it looks make it look once more. */
  wake(): void {
    if (this.#closed) return;
    this.#lookAgain = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      if (this.#lookAgain) this.wake();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#lookAgain = false;
    this.#cancelTimer();
    await this.#looking;
    await Promise.all(this.#atWork);
  }

  async #look(): Promise<void> {
    this.#cancelTimer();
    try {
      while (this.#lookAgain && !this.#closed) {
        this.#lookAgain = false;
        await this.#takeDue();
      }
      await this.#scheduleNext();
    } catch (error) {
      this.parts.logger.warn(this.#fields(error), 'the stream cannot be read');
      this.#wakeAfter(STORE_RETRY_MS);
    }
  }

  async #takeDue(): Promise<void> {
    const { store, position, policy, clock } = this.parts;
    const limit = policy.concurrency - this.#atWork.size;
    this.#mayHaveMore = limit <= 0;
    if (limit <= 0) return;
    const now = clock.now();
    const hiddenUntil = new Date(now.getTime() + policy.ackWaitMs);
    const messages = await store.take({ ...position, limit, now, hiddenUntil });
    this.#mayHaveMore = messages.length >= limit;
    for (const message of messages) {
      const work = this.#closed ? this.#giveBack(message) : this.#handle(message);
      this.#atWork.add(work);
      void work.finally(() => {
        this.#atWork.delete(work);
        if (this.#mayHaveMore) this.wake();
      });
    }
  }

  async #scheduleNext(): Promise<void> {
    if (this.#atWork.size >= this.parts.policy.concurrency) return;
    const due = await this.parts.store.nextDue(this.parts.position);
    const wait = due ? due.getTime() - this.parts.clock.now().getTime() : IDLE_LOOK_MS;
    this.#wakeAfter(Math.min(Math.max(wait, 1), IDLE_LOOK_MS));
  }

  #wakeAfter(delayMs: number): void {
    if (!this.#closed) this.#cancelTimer = this.parts.timers.after(delayMs, () => this.wake());
  }

  /** Never rejects: where the store fails, the message is due again after the ack wait. */
  async #handle(message: TakenMessage): Promise<void> {
    try {
      await this.#settle(message);
    } catch (error) {
      this.#mayHaveMore = true;
      this.parts.logger.warn(
        { ...this.#fields(error), messageId: message.id, attempt: message.attempt },
        'a delivery was not settled; it comes again',
      );
    }
  }

  async #settle(message: TakenMessage): Promise<void> {
    const { policy, store } = this.parts;
    if (message.attempt > policy.maxDeliveries) return this.#bury(message, message.attempt - 1, NO_OUTCOME);
    try {
      await this.parts.handler(this.#delivery(message));
    } catch (error) {
      const outcome = outcomeOfFailure(error, message.attempt, policy);
      if (outcome.kind === 'dead-letter') return this.#bury(message, message.attempt, outcome.code);
      this.#mayHaveMore = true;
      return store.postpone(this.#key(message), this.#in(outcome.delayMs));
    }
    await store.acknowledge(this.#key(message));
  }

  #delivery(message: TakenMessage): Delivery {
    const { id, subject, body, attempt } = message;
    return { id, subject, body, attempt, working: () => void this.#keepHidden(message) };
  }

  async #keepHidden(message: TakenMessage): Promise<void> {
    try {
      await this.parts.store.postpone(this.#key(message), this.#in(this.parts.policy.ackWaitMs));
    } catch (error) {
      this.parts.logger.debug({ ...this.#fields(error), messageId: message.id }, 'a sign of life was lost');
    }
  }

  async #giveBack(message: TakenMessage): Promise<void> {
    try {
      await this.parts.store.postpone(this.#key(message), this.#in(0));
    } catch (error) {
      this.parts.logger.debug({ ...this.#fields(error), messageId: message.id }, 'comes after the ack wait');
    }
  }

  async #bury(message: TakenMessage, attempts: number, code: string): Promise<void> {
    const { store, durable, logger, clock } = this.parts;
    const { id, subject, body } = message;
    const letter = { id, stream: this.stream, durable, subject, body, attempts, code };
    await store.bury(this.#key(message), letter, clock.now());
    logger.warn({ stream: this.stream, durable, messageId: id, attempts, code }, 'message dead-lettered');
  }

  #key(message: TakenMessage): StreamDelivery {
    return { ...this.parts.position, place: message.place, attempt: message.attempt };
  }

  #in(delayMs: number): Date {
    return new Date(this.parts.clock.now().getTime() + delayMs);
  }

  #fields(error: unknown): object {
    const code = isPalimpsestError(error) ? error.code : 'internal_error';
    return { stream: this.stream, durable: this.parts.durable, code };
  }
}
