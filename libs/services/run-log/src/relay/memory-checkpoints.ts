import type { LogCursor } from '@palimpsest/kernel';
import type { CheckpointStore } from './checkpoint-store.js';

/** Checkpoints of one process's life, for tests. */
export class MemoryCheckpoints implements CheckpointStore {
  readonly #cursors = new Map<string, LogCursor>();

  load(reader: string): Promise<LogCursor | undefined> {
    return Promise.resolve(this.#cursors.get(reader));
  }

  save(reader: string, cursor: LogCursor): Promise<void> {
    const saved = this.#cursors.get(reader);
    if (!saved || isBefore(saved, cursor)) this.#cursors.set(reader, cursor);
    return Promise.resolve();
  }
}

/** The order of commits: by transaction, then by position. Both pass 2^53. */
function isBefore(left: LogCursor, right: LogCursor): boolean {
  const [leftTransaction, rightTransaction] = [BigInt(left.transactionId), BigInt(right.transactionId)];
  if (leftTransaction !== rightTransaction) return leftTransaction < rightTransaction;
  return BigInt(left.position) < BigInt(right.position);
}
