import type { ForkOrigin, RunHeader } from '@palimpsest/contracts';
import { NotFoundError } from '@palimpsest/kernel';

type HeaderOf = (runId: string) => Promise<Pick<RunHeader, 'runId' | 'origin'> | undefined>;

/** Who wrote which events of a run: forks share events with their source, and a replay repeats all of them. */
export class CallWriters {
  readonly #headerOf: HeaderOf;
  readonly #origins = new Map<string, ForkOrigin | undefined>();

  constructor(headerOf: HeaderOf) {
    this.#headerOf = headerOf;
  }

  /** The run whose work an event of a run first was: calls of models are kept under its id. @throws NotFoundError */
  async writerOf(runId: string, sequence: number): Promise<string> {
    for (let writer = runId; ;) {
      const origin = await this.#originOf(writer);
      if (!origin || (origin.mode === 'branch' && sequence >= origin.fromSequence)) return writer;
      writer = origin.runId;
    }
  }

  async #originOf(runId: string): Promise<ForkOrigin | undefined> {
    if (this.#origins.has(runId)) return this.#origins.get(runId);
    const header = await this.#headerOf(runId);
    if (!header) throw new NotFoundError('The run', { runId });
    this.#origins.set(runId, header.origin);
    return header.origin;
  }
}
