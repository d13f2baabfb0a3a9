import { headers, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import {
  encodeBody,
  fromWireError,
  isPalimpsestError,
  ServiceUnavailableError,
  toWireError,
  ValidationError,
  type BusSubscription,
  type Logger,
  type RequestOptions,
  type WireError,
} from '@palimpsest/kernel';
import type { JsonValue } from '@palimpsest/contracts';
import { nameOf, type NatsLink } from './nats-link.js';

/** Stands on a reply that carries an error; the body is then a `WireError`. */
const ERROR_HEADER = 'Palimpsest-Error';
const DEFAULT_TIMEOUT_MS = 2000;

export type Responder = {
  readonly subject: string;
  readonly queue: string;
  readonly handler: (body: JsonValue) => Promise<JsonValue>;
};

/** Questions and answers on core NATS: a queue group shares the requests of its subject. */
export class RequestReply {
  /** Requests whose answer would be lost with the connection. */
  readonly #waiting = new Set<() => void>();
  readonly #responders = new Set<ActiveResponder>();

  constructor(
    private readonly link: NatsLink,
    private readonly logger: Logger,
  ) {
    link.onLoss(() => {
      for (const giveUp of this.#waiting) giveUp();
    });
  }

  async request(subject: string, body: JsonValue, options: RequestOptions = {}): Promise<JsonValue> {
    const payload = encodeBody(body, this.link.maxPayload);
    const timeout = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const reply = await this.#ask(this.link.live(), { subject, payload, timeout });
    if (reply.headers?.has(ERROR_HEADER)) throw fromWireError(reply.json<WireError>());
    return reply.json<JsonValue>();
  }

  async respond(responder: Responder): Promise<BusSubscription> {
    const active = new ActiveResponder(this.link, responder, this.logger);
    this.#responders.add(active);
    await this.link.flush();
    return {
      close: async () => {
        this.#responders.delete(active);
        await active.close();
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#responders].map((responder) => responder.close()));
  }

  #ask(
    connection: NatsConnection,
    question: { readonly subject: string; readonly payload: Uint8Array; readonly timeout: number },
  ): Promise<Msg> {
    const { subject, payload, timeout } = question;
    return new Promise((resolve, reject) => {
      const giveUp = (cause?: unknown) => reject(new ServiceUnavailableError(subject, { cause }));
      this.#waiting.add(giveUp);
      connection
        .request(subject, payload, { timeout })
        .then(resolve, giveUp)
        .finally(() => this.#waiting.delete(giveUp));
    });
  }
}

class ActiveResponder {
  readonly #atWork = new Set<Promise<void>>();
  readonly #stopWaiting: () => void;
  #subscription: Subscription | undefined;

  constructor(
    private readonly link: NatsLink,
    private readonly responder: Responder,
    private readonly logger: Logger,
  ) {
    this.#stopWaiting = link.onUp((connection) => this.#subscribe(connection));
  }

  async close(): Promise<void> {
    this.#stopWaiting();
    if (this.#subscription) await drain(this.link, this.#subscription);
    await Promise.all(this.#atWork);
  }

  /** Once: the connection brings its subscriptions back itself. */
  #subscribe(connection: NatsConnection): void {
    const { subject, queue } = this.responder;
    this.#subscription ??= connection.subscribe(subject, {
      queue,
      callback: (error, message) => {
        if (error) {
          this.logger.error({ subject, reason: nameOf(error) }, 'the bus refuses a responder');
          return;
        }
        const work = this.#answer(message);
        this.#atWork.add(work);
        void work.finally(() => this.#atWork.delete(work));
      },
    });
  }

  async #answer(message: Msg): Promise<void> {
    try {
      const answer = await this.responder.handler(bodyOf(message));
      message.respond(encodeBody(answer, this.link.maxPayload));
    } catch (error) {
      if (!isPalimpsestError(error)) {
        this.logger.error({ subject: this.responder.subject, reason: nameOf(error) }, 'a responder failed');
      }
      this.#refuse(message, error);
    }
  }

  #refuse(message: Msg, error: unknown): void {
    const marked = headers();
    marked.set(ERROR_HEADER, '1');
    try {
      message.respond(JSON.stringify(toWireError(error)), { headers: marked });
    } catch (failure) {
      this.logger.warn({ subject: this.responder.subject, reason: nameOf(failure) }, 'a reply was lost');
    }
  }
}

function bodyOf(message: Msg): JsonValue {
  try {
    return message.json<JsonValue>();
  } catch {
    throw new ValidationError('The body is not JSON.');
  }
}

/** Takes no more messages; those that the server has sent already still arrive. */
export async function drain(link: NatsLink, subscription: Subscription): Promise<void> {
  if (subscription.isClosed()) return;
  if (!link.isUp) {
    subscription.unsubscribe();
    return;
  }
  const drained = subscription.drain().catch(() => undefined);
  const lost = new Promise<void>((resolve) => {
    const stop = link.onLoss(resolve);
    void drained.finally(stop);
  });
  await Promise.race([drained, lost]);
}
