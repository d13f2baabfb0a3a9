import type { Pool } from 'pg';
import type {
  DeadLetter,
  KeptLetter,
  StreamAppend,
  StreamDelivery,
  StreamPosition,
  StreamStore,
  TakenMessage,
  TakeRequest,
} from '@palimpsest/kernel';
import { withDatabaseErrors } from '../connection/database-errors.js';
import { AppendBatches } from './append-batches.js';
import { appendMessages, forgetMessages } from './append-messages.js';
import { dropLetter, readDeadLetters, readLettersOf } from './dead-letters.js';
import { acknowledge, bury, postpone } from './settle-delivery.js';
import { nextDue, takeDue } from './take-due.js';

const FORGET_EVERY_MS = 60_000;

/** Streams in schema `bus` ({@link BUS_MIGRATIONS}); several processes may share them. */
export class PostgresStreamStore implements StreamStore {
  readonly #appends: AppendBatches;
  #forgottenAt = 0;

  constructor(private readonly pool: Pool) {
    this.#appends = new AppendBatches((appends) => appendMessages(pool, appends));
  }

  addDurable({ stream, durable }: StreamPosition): Promise<void> {
    return withDatabaseErrors(async () => {
      await this.pool.query(
        'INSERT INTO bus.durables (stream, durable) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [stream, durable],
      );
    });
  }

  append(append: StreamAppend): Promise<void> {
    return withDatabaseErrors(async () => {
      await this.#appends.append(append);
      if (append.at.getTime() - this.#forgottenAt < FORGET_EVERY_MS) return;
      this.#forgottenAt = append.at.getTime();
      await forgetMessages(this.pool, append.at);
    });
  }

  take(request: TakeRequest): Promise<readonly TakenMessage[]> {
    return withDatabaseErrors(() => takeDue(this.pool, request));
  }

  acknowledge(delivery: StreamDelivery): Promise<void> {
    return withDatabaseErrors(() => acknowledge(this.pool, delivery));
  }

  postpone(delivery: StreamDelivery, until: Date): Promise<void> {
    return withDatabaseErrors(() => postpone(this.pool, delivery, until));
  }

  bury(delivery: StreamDelivery, letter: DeadLetter, at: Date): Promise<void> {
    return withDatabaseErrors(() => bury(this.pool, delivery, { letter, at }));
  }

  nextDue(position: StreamPosition): Promise<Date | undefined> {
    return withDatabaseErrors(() => nextDue(this.pool, position));
  }

  deadLetters(stream: string, limit: number): Promise<readonly KeptLetter[]> {
    return withDatabaseErrors(() => readDeadLetters(this.pool, stream, limit));
  }

  lettersOf(stream: string, id: string): Promise<readonly KeptLetter[]> {
    return withDatabaseErrors(() => readLettersOf(this.pool, stream, id));
  }

  dropLetter(stream: string, place: string): Promise<void> {
    return withDatabaseErrors(() => dropLetter(this.pool, stream, place));
  }
}
