import type { JsonValue } from '@palimpsest/contracts';
import type { DeadLetter, DurableMessage, KeptLetter } from './message-bus.js';

/** One position in one stream. */
export type StreamPosition = { readonly stream: string; readonly durable: string };

export type StreamAppend = {
  readonly stream: string;
  readonly message: DurableMessage;
  readonly at: Date;
  /** The message may be forgotten from here on, read or not. */
  readonly expiresAt?: Date;
};

export type TakeRequest = StreamPosition & {
  readonly limit: number;
  readonly now: Date;
  /** Until then nobody else is handed the messages. */
  readonly hiddenUntil: Date;
};

export type TakenMessage = {
  /** Place in the stream, ascending with gaps; a decimal string, as it may pass 2^53. */
  readonly place: string;
  readonly id: string;
  readonly subject: string;
  readonly body: JsonValue;
  /** 1 for the first time it is handed out. */
  readonly attempt: number;
};

/** One handing out of one message. */
export type StreamDelivery = StreamPosition & { readonly place: string; readonly attempt: number };

/**
 * Durable memory of the in-process bus. A message is kept for each durable that was known when it came, until
 * that durable acknowledges it; where no durable is known, nothing is kept. Times come from the caller.
 */
export interface StreamStore {
  /** Idempotent: a known durable keeps its position. */
  addDurable(position: StreamPosition): Promise<void>;
  /** Drops a message whose id the stream has taken within the duplicate window. */
  append(append: StreamAppend): Promise<void>;
  /** At most `limit` messages that are due, oldest first; each counts an attempt and is hidden from others. */
  take(request: TakeRequest): Promise<readonly TakenMessage[]>;
  acknowledge(delivery: StreamDelivery): Promise<void>;
  /** Due again at `until`, sooner or later than before. Without effect once acknowledged or handed out again. */
  postpone(delivery: StreamDelivery, until: Date): Promise<void>;
  /** Records the dead letter and acknowledges, both or neither. The same letter twice is one. */
  bury(delivery: StreamDelivery, letter: DeadLetter, at: Date): Promise<void>;
  /** When the next message is due, hidden ones included. */
  nextDue(position: StreamPosition): Promise<Date | undefined>;
  /** Newest last, at most `limit`. */
  deadLetters(stream: string, limit: number): Promise<readonly KeptLetter[]>;
  /** The letters of one message, of every durable that could not handle it; oldest first. */
  lettersOf(stream: string, id: string): Promise<readonly KeptLetter[]>;
  /** Without effect where it is not there. */
  dropLetter(stream: string, place: string): Promise<void>;
}
