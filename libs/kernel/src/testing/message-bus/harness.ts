import type { StreamSpec } from '@palimpsest/contracts';
import type { ConsumerOptions, MessageBus } from '../../ports/message-bus.js';

/** An adapter under test. All its buses see the same streams. */
export type MessageBusHarness = {
  /** A bus; also again, after the one before was closed. */
  connect(): Promise<MessageBus>;
  /** A second instance beside an open one; the same bus where all instances live in one process. */
  connectBeside(bus: MessageBus): Promise<MessageBus>;
  /** Largest request body in bytes. */
  readonly maxBodyBytes: number;
  removeStream(stream: StreamSpec): Promise<void>;
  close(): Promise<void>;
};

/** What a case gets: two instances, and names that nobody has used. */
export type BusCase = {
  readonly bus: MessageBus;
  readonly peer: MessageBus;
  readonly maxBodyBytes: number;
  /** Closes both instances and opens one on the same streams. */
  restart(): Promise<MessageBus>;
  subject(name: string): string;
  stream(kind: StreamSpec['kind'], name?: string): StreamSpec;
};

export type OpenBusCase = () => BusCase;

/** A subject that belongs to the stream. */
export function subjectIn(stream: StreamSpec, name: string): string {
  return stream.subject.replace('>', name);
}

/** Consumer options for specs: failures come back fast. */
export function fast(stream: StreamSpec, options: Partial<ConsumerOptions> = {}): ConsumerOptions {
  return { stream, durable: 'reader', retryBaseMs: 10, ...options };
}

/** A door that stays shut until it is opened. */
export class Gate {
  readonly opened: Promise<void>;
  open: () => void = () => undefined;

  constructor() {
    this.opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }
}

/** A JSON string that takes exactly so many bytes on the wire, most of them in characters of two bytes. */
export function textOfBytes(bytes: number): string {
  const inside = bytes - 2;
  return 'é'.repeat(Math.floor(inside / 2)) + 'x'.repeat(inside % 2);
}
