import { subjectMatches, type BusSubscription, type Logger } from '@palimpsest/kernel';
import type { JsonValue } from '@palimpsest/contracts';
import type { BodyCopier } from './body-copier.js';

type Listener = {
  readonly pattern: string;
  readonly handler: (body: JsonValue, subject: string) => void;
};

/** Wake-ups inside one process. Each listener gets its own copy, after the notifier has gone on. */
export class Listeners {
  readonly #listeners = new Set<Listener>();

  constructor(
    private readonly bodies: BodyCopier,
    private readonly logger: Logger,
  ) {}

  add(listener: Listener): BusSubscription {
    this.#listeners.add(listener);
    return { close: async () => void this.#listeners.delete(listener) };
  }

  notify(subject: string, body: JsonValue): void {
    const copy = this.bodies.copy(body);
    for (const listener of this.#listeners) {
      if (subjectMatches(listener.pattern, subject)) {
        setImmediate(() => this.#deliver(listener, subject, structuredClone(copy)));
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }

  #deliver(listener: Listener, subject: string, body: JsonValue): void {
    if (!this.#listeners.has(listener)) return;
    try {
      listener.handler(body, subject);
    } catch {
      this.logger.warn({ subject }, 'a listener failed');
    }
  }
}
