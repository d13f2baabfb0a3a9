import { AckPolicy, DeliverPolicy, JetStreamApiError, type ConsumerInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { hasCode, type DeadLetter, type Logger } from '@palimpsest/kernel';
import { deadLetterSubject, STREAMS, type StreamSpec } from '@palimpsest/contracts';
import { streamFailure, type JetStream, type Streams } from './streams.js';

const STREAM_NOT_FOUND = 10059;
const READ_BATCH = 500;
const READ_EXPIRES_MS = 1000;

/** Where messages go that no consumer could handle. */
export class DeadLetterOffice {
  constructor(
    private readonly streams: Streams,
    private readonly logger: Logger,
  ) {}

  /** Durable when it resolves; the same letter again is one letter. */
  async add(letter: DeadLetter): Promise<void> {
    const { stream, durable, id, attempts, code } = letter;
    const message = { id: `${stream}.${durable}.${id}`, subject: deadLetterSubject(stream) };
    try {
      await this.streams.publish(STREAMS.deadLetters, { ...message, body: letter });
    } catch (error) {
      if (!hasCode(error, 'payload_too_large')) throw error;
      // The body fitted alone but not with what is said about it. Its ids are enough to find its origin.
      await this.streams.publish(STREAMS.deadLetters, { ...message, body: { ...letter, body: null } });
    }
    this.logger.warn({ stream, durable, messageId: id, attempts, code }, 'message dead-lettered');
  }

  /** Newest last. */
  async read(stream: StreamSpec, limit: number): Promise<readonly DeadLetter[]> {
    try {
      const letters = await readLetters(await this.streams.api(), deadLetterSubject(stream.name));
      return letters.slice(Math.max(0, letters.length - limit));
    } catch (error) {
      throw streamFailure(error);
    }
  }
}

/** The same letter may stand twice where it was written again after the duplicate window. */
async function readLetters(api: JetStream, subject: string): Promise<readonly DeadLetter[]> {
  const reader = await openReader(api, subject);
  if (!reader) return [];
  const letters = new Map<string, DeadLetter>();
  try {
    for await (const letter of readAll(api, reader)) letters.set(`${letter.durable} ${letter.id}`, letter);
  } finally {
    await api.manager.consumers.delete(reader.stream_name, reader.name).catch(() => undefined);
  }
  return [...letters.values()];
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

async function* readAll({ client }: JetStream, reader: ConsumerInfo): AsyncGenerator<DeadLetter> {
  const consumer = client.consumers.getConsumerFromInfo(reader);
  for (let left = reader.num_pending; left > 0;) {
    const batch = await consumer.fetch({
      max_messages: Math.min(left, READ_BATCH),
      expires: READ_EXPIRES_MS,
    });
    let received = 0;
    for await (const message of batch) {
      received += 1;
      yield message.json<DeadLetter>();
    }
    if (received === 0) return;
    left -= received;
  }
}
