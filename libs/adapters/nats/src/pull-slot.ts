import {
  createInbox,
  nanos,
  type Msg,
  type NatsConnection,
  type Subscription,
} from '@nats-io/transport-node';
import type { NatsLink } from './nats-link.js';
import { drain } from './request-reply.js';

export type Pulled =
  | { readonly kind: 'message'; readonly message: Msg }
  | { readonly kind: 'nothing' }
  /** The stream or the consumer is not there, or its server is going away. */
  | { readonly kind: 'missing' };

const PULL_EXPIRES_MS = 10_000;
/** The server ends a pull itself; a pull it has forgotten is given up a little later. */
const PULL_GRACE_MS = 1000;

const NOTHING: Pulled = { kind: 'nothing' };
const MISSING: Pulled = { kind: 'missing' };

/**
 * One hand of a consumer: asks for one message, then for the next. So nothing lies in a client-side buffer while
 * its ack wait runs, and what the server sends while we close is given back at once (the library's own pull drops
 * it, and it would come again only after the ack wait).
 */
export class PullSlot {
  readonly #inbox = createInbox();
  readonly #early: Msg[] = [];
  readonly #subscription: Subscription;
  #waiting: { readonly reply: string; readonly settle: (pulled: Pulled) => void } | undefined;
  #pulls = 0;

  constructor(
    private readonly connection: NatsConnection,
    private readonly consumer: { readonly stream: string; readonly durable: string },
  ) {
    this.#subscription = connection.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => {
        if (error) this.#waiting?.settle(MISSING);
        else this.#receive(message);
      },
    });
  }

  next(): Promise<Pulled> {
    const early = this.#early.shift();
    if (early) return Promise.resolve({ kind: 'message', message: early });
    const reply = `${this.#inbox}.${++this.#pulls}`;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#waiting?.settle(NOTHING), PULL_EXPIRES_MS + PULL_GRACE_MS);
      this.#waiting = {
        reply,
        settle: (pulled) => {
          clearTimeout(timer);
          this.#waiting = undefined;
          resolve(pulled);
        },
      };
      const request = JSON.stringify({ batch: 1, expires: nanos(PULL_EXPIRES_MS) });
      this.connection.publish(this.#pullSubject(), request, { reply });
    });
  }

  /** Ends the pull that waits, with nothing. */
  interrupt(): void {
    this.#waiting?.settle(NOTHING);
  }

  /** Resolves with what arrived and nobody took. */
  async close(link: NatsLink): Promise<readonly Msg[]> {
    this.interrupt();
    await drain(link, this.#subscription);
    return this.#early.splice(0);
  }

  #receive(message: Msg): void {
    const isStatus = message.subject.startsWith(this.#inbox);
    if (!isStatus) {
      if (this.#waiting) this.#waiting.settle({ kind: 'message', message });
      else this.#early.push(message);
    } else if (this.#waiting?.reply === message.subject) {
      const code = message.headers?.code;
      // 404 and 408 end a pull that found nothing; 409 and 503 say that nobody is there to answer.
      this.#waiting.settle(code === 409 || code === 503 ? MISSING : NOTHING);
    }
  }

  #pullSubject(): string {
    return `$JS.API.CONSUMER.MSG.NEXT.${this.consumer.stream}.${this.consumer.durable}`;
  }
}
