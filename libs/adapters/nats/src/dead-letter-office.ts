import { AckPolicy, DeliverPolicy, JetStreamApiError, type ConsumerInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { hasCode, type DeadLetter, type KeptLetter, type Logger } from '@palimpsest/kernel';
import { deadLetterSubject, STREAMS, type StreamSpec } from '@palimpsest/contracts';
import { streamFailure, type JetStream, type Streams } from './streams.js';

const STREAM_NOT_FOUND = 10059;
const SEQUENCE_NOT_FOUND = 10043;
const READ_BATCH = 500;
const READ_EXPIRES_MS = 1000;

/** Where messages go that no consumer could handle. */
export class DeadLetterOffice {
  constructor(
    private readonly streams: Streams,
    private readonly logger: Logger,
  ) {}

  /**
   * Durable when it resolves; the same letter again is one letter. `sequence`: of the message in its stream, as a later
   * message may have its id.
   */
  async add(letter: DeadLetter, sequence: string): Promise<void> {
    const { stream, durable, id, attempts, code } = letter;
    const message = { id: `${stream}.${durable}.${id}.${sequence}`, subject: deadLetterSubject(stream) };
    try {
      await this.streams.publish(STREAMS.deadLetters, { ...message, body: letter });
    } catch (error) {
      if (!hasCode(error, 'payload_too_large')) throw error;
      // The body fitted alone but not with what is said about it. Its ids are enough to find its origin.
      const body = { ...letter, body: null, bodyOmitted: true };
      await this.streams.publish(STREAMS.deadLetters, { ...message, body });
    }
    this.logger.warn({ stream, durable, messageId: id, attempts, code }, 'message dead-lettered');
  }

  /** Newest last. */
  async read(stream: StreamSpec, limit: number): Promise<readonly KeptLetter[]> {
    // The same letter may stand twice where it was written again after the duplicate window.
    const letters = new Map<string, KeptLetter>();
    for (const letter of await this.#readAll(stream)) letters.set(`${letter.durable} ${letter.id}`, letter);
    return [...letters.values()].slice(Math.max(0, letters.size - limit));
  }

  /** Every letter of a message, one that was written twice as two; oldest first. */
  async lettersOf(stream: StreamSpec, id: string): Promise<readonly KeptLetter[]> {
    return (await this.#readAll(stream)).filter((letter) => letter.id === id);
  }

  async drop(letters: readonly KeptLetter[]): Promise<void> {
    try {
      const { manager } = await this.streams.api();
      for (const { place } of letters) await deleteMessage(manager, Number(place));
    } catch (error) {
      throw streamFailure(error);
    }
  }

  async #readAll(stream: StreamSpec): Promise<readonly KeptLetter[]> {
    try {
      return await readLetters(await this.streams.api(), deadLetterSubject(stream.name));
    } catch (error) {
      throw streamFailure(error);
    }
  }
}

/** Without effect where somebody else has deleted it, or the stream is gone with it. */
async function deleteMessage(manager: JetStream['manager'], sequence: number): Promise<void> {
  try {
    await manager.streams.deleteMessage(STREAMS.deadLetters.name, sequence);
  } catch (error) {
    const code = error instanceof JetStreamApiError ? error.code : 0;
    if (code !== SEQUENCE_NOT_FOUND && code !== STREAM_NOT_FOUND) throw error;
  }
}

async function readLetters(api: JetStream, subject: string): Promise<readonly KeptLetter[]> {
  const reader = await openReader(api, subject);
  if (!reader) return [];
  const letters: KeptLetter[] = [];
  try {
    for await (const letter of readAll(api, reader)) letters.push(letter);
  } finally {
    await api.manager.consumers.delete(reader.stream_name, reader.name).catch(() => undefined);
  }
  return letters;
}

/** Undefined where the stream is not there: then nothing has died yet. */
async function openReader({ manager }: JetStream, subject: string): Promise<ConsumerInfo | undefined> {
  try {
    return await manager.consumers.add(STREAMS.deadLetters.name, {
      filter_subject: subject,
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.All,
      mem_storage: true,
      inactive_threshold: nanos(30_000),
    });
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND) return undefined;
    throw error;
  }
}

async function* readAll({ client }: JetStream, reader: ConsumerInfo): AsyncGenerator<KeptLetter> {
  const consumer = client.consumers.getConsumerFromInfo(reader);
  for (let left = reader.num_pending; left > 0;) {
    const batch = await consumer.fetch({
      max_messages: Math.min(left, READ_BATCH),
      expires: READ_EXPIRES_MS,
    });
    let received = 0;
    for await (const message of batch) {
      received += 1;
      const buriedAt = new Date(Number(message.timestampNanos / 1_000_000n));
      yield { ...message.json<DeadLetter>(), place: String(message.seq), buriedAt };
    }
    if (received === 0) return;
    left -= received;
  }
}
