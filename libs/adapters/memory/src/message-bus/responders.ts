import {
  fromWireError,
  ServiceUnavailableError,
  toWireError,
  type BusSubscription,
  type RequestOptions,
} from '@palimpsest/kernel';
import type { JsonValue } from '@palimpsest/contracts';
import type { BodyCopier } from './body-copier.js';
import type { Timers } from './timers.js';

const DEFAULT_TIMEOUT_MS = 2000;

type Handler = (body: JsonValue) => Promise<JsonValue>;

/** Requests and their answers inside one process. Responders of a subject take turns, whatever their queue. */
export class Responders {
  readonly #bySubject = new Map<string, Responder[]>();

  constructor(
    private readonly timers: Timers,
    private readonly bodies: BodyCopier,
  ) {}

  add(subject: string, handler: Handler): BusSubscription {
    const responder = new Responder(handler, this.bodies);
    this.#bySubject.set(subject, [...(this.#bySubject.get(subject) ?? []), responder]);
    return {
      close: () => {
        this.#remove(subject, responder);
        return responder.idle();
      },
    };
  }

  request(subject: string, body: JsonValue, options: RequestOptions = {}): Promise<JsonValue> {
    const copy = this.bodies.copy(body);
    const responder = this.#nextOf(subject);
    if (!responder) throw new ServiceUnavailableError(subject);
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new ServiceUnavailableError(subject));
      const cancel = this.timers.after(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, giveUp);
      setImmediate(() => {
        responder.answer(copy).then(resolve, reject).finally(cancel);
      });
    });
  }

  async close(): Promise<void> {
    const all = [...this.#bySubject.values()].flat();
    this.#bySubject.clear();
    await Promise.all(all.map((responder) => responder.idle()));
  }

  #nextOf(subject: string): Responder | undefined {
    const [next, ...others] = this.#bySubject.get(subject) ?? [];
    if (next) this.#bySubject.set(subject, [...others, next]);
    return next;
  }

  #remove(subject: string, responder: Responder): void {
    const left = (this.#bySubject.get(subject) ?? []).filter((other) => other !== responder);
    if (left.length > 0) this.#bySubject.set(subject, left);
    else this.#bySubject.delete(subject);
  }
}

class Responder {
  readonly #atWork = new Set<Promise<unknown>>();

  constructor(
    private readonly handler: Handler,
    private readonly bodies: BodyCopier,
  ) {}

  /** Errors come out as they would after a hop: rebuilt from their code, the cause left behind. */
  async answer(body: JsonValue): Promise<JsonValue> {
    const work = this.#handle(body);
    this.#atWork.add(work);
    try {
      return await work;
    } catch (error) {
      throw fromWireError(toWireError(error));
    } finally {
      this.#atWork.delete(work);
    }
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.#atWork);
  }

  async #handle(body: JsonValue): Promise<JsonValue> {
    return this.bodies.copy(await this.handler(body));
  }
}
