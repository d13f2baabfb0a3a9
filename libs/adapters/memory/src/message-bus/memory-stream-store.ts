import {
  DUPLICATE_WINDOW_MS,
  type DeadLetter,
  type KeptLetter,
  type StreamAppend,
  type StreamDelivery,
  type StreamPosition,
  type StreamStore,
  type TakenMessage,
  type TakeRequest,
} from '@palimpsest/kernel';

type KeptMessage = Omit<TakenMessage, 'attempt'> & { readonly expiresAt: Date | undefined };

type PendingDelivery = { readonly message: KeptMessage; attempt: number; dueAt: number };

type StreamMemory = {
  /** Message id → when it was taken, oldest first. */
  readonly seen: Map<string, number>;
  /** Durable → place → delivery, in the order of places. */
  readonly pending: Map<string, Map<string, PendingDelivery>>;
  /** By durable and id, oldest first. */
  readonly deadLetters: Map<string, KeptLetter>;
};

/** Holds a process's streams while it lives. Bodies are handed in and out as copies. */
export class MemoryStreamStore implements StreamStore {
  readonly #streams = new Map<string, StreamMemory>();
  #lastPlace = 0;
  #lastLetter = 0;

  async addDurable({ stream, durable }: StreamPosition): Promise<void> {
    const { pending } = this.#stream(stream);
    if (!pending.has(durable)) pending.set(durable, new Map());
  }

  async append({ stream, message, at, expiresAt }: StreamAppend): Promise<void> {
    const memory = this.#stream(stream);
    forgetOldIds(memory.seen, at.getTime() - DUPLICATE_WINDOW_MS);
    if (memory.seen.has(message.id)) return;
    memory.seen.set(message.id, at.getTime());
    const kept = { ...structuredClone(message), place: String(++this.#lastPlace), expiresAt };
    for (const deliveries of memory.pending.values()) {
      deliveries.set(kept.place, { message: kept, attempt: 0, dueAt: at.getTime() });
    }
  }

  async take(request: TakeRequest): Promise<readonly TakenMessage[]> {
    const taken: TakenMessage[] = [];
    const deliveries = this.#deliveries(request);
    for (const delivery of deliveries.values()) {
      if (taken.length >= request.limit) break;
      const { expiresAt, ...message } = delivery.message;
      if (expiresAt && expiresAt <= request.now) deliveries.delete(message.place);
      else if (delivery.dueAt <= request.now.getTime()) {
        delivery.attempt += 1;
        delivery.dueAt = request.hiddenUntil.getTime();
        taken.push({ ...structuredClone(message), attempt: delivery.attempt });
      }
    }
    return taken;
  }

  async acknowledge(delivery: StreamDelivery): Promise<void> {
    this.#deliveries(delivery).delete(delivery.place);
  }

  async postpone(delivery: StreamDelivery, until: Date): Promise<void> {
    const pending = this.#deliveries(delivery).get(delivery.place);
    if (pending?.attempt === delivery.attempt) pending.dueAt = until.getTime();
  }

  async bury(delivery: StreamDelivery, letter: DeadLetter, at: Date): Promise<void> {
    const { deadLetters } = this.#stream(delivery.stream);
    const key = JSON.stringify([letter.durable, letter.id]);
    if (!deadLetters.has(key)) {
      deadLetters.set(key, { ...structuredClone(letter), place: String(++this.#lastLetter), buriedAt: at });
    }
    await this.acknowledge(delivery);
  }

  async nextDue(position: StreamPosition): Promise<Date | undefined> {
    let earliest = Infinity;
    for (const { dueAt } of this.#deliveries(position).values()) earliest = Math.min(earliest, dueAt);
    return earliest === Infinity ? undefined : new Date(earliest);
  }

  async deadLetters(stream: string, limit: number): Promise<readonly KeptLetter[]> {
    const letters = [...this.#stream(stream).deadLetters.values()];
    return structuredClone(letters.slice(Math.max(0, letters.length - limit)));
  }

  async lettersOf(stream: string, id: string): Promise<readonly KeptLetter[]> {
    return structuredClone(
      [...this.#stream(stream).deadLetters.values()].filter((letter) => letter.id === id),
    );
  }

  async dropLetter(stream: string, place: string): Promise<void> {
    const { deadLetters } = this.#stream(stream);
    for (const [key, letter] of deadLetters) if (letter.place === place) deadLetters.delete(key);
  }

  #stream(name: string): StreamMemory {
    const known = this.#streams.get(name);
    if (known) return known;
    const created = { seen: new Map(), pending: new Map(), deadLetters: new Map() };
    this.#streams.set(name, created);
    return created;
  }

  #deliveries({ stream, durable }: StreamPosition): Map<string, PendingDelivery> {
    return this.#stream(stream).pending.get(durable) ?? new Map<string, PendingDelivery>();
  }
}

function forgetOldIds(seen: Map<string, number>, before: number): void {
  for (const [id, at] of seen) {
    if (at > before) return;
    seen.delete(id);
  }
}
