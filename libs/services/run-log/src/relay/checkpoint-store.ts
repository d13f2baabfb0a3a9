import type { LogCursor } from '@palimpsest/kernel';

/** How far a reader of the whole log has come. */
export interface CheckpointStore {
  /** Undefined where the reader has never saved. */
  load(reader: string): Promise<LogCursor | undefined>;
  /** Moves forward only: a slower instance does not take the reader back. */
  save(reader: string, cursor: LogCursor): Promise<void>;
}
