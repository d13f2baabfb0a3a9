import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { TokenCounterName, TokenCounts } from '@palimpsest/contracts';
import { TerminalError, type TokenCounter } from '@palimpsest/kernel';
import { answerCountingJob, type CountingAnswer, type CountingJob } from './counting-job.js';
import { CountingPool } from './counting-pool.js';
import { encodingOf } from './encodings.js';
import { InlineLane } from './inline-lane.js';

export type WorkerTokenCounterOptions = {
  /** Threads for large texts, started when first needed. Default: one less than the cores, at most 4. */
  readonly threads?: number;
  /** Texts up to this many UTF-16 units are counted on the event loop. Default 8192: some 10 ms for the worst text. */
  readonly inlineUnits?: number;
  /** UTF-16 units that may wait for a thread before more is refused. Default 64 Mi. */
  readonly maxQueuedUnits?: number;
  /** The built entry of a counting thread; for tests. */
  readonly entry?: URL;
};

/** Counts small texts on the event loop, between its turns, and large ones in threads: neither waits for the other. */
export class WorkerTokenCounter implements TokenCounter {
  private readonly inlineUnits: number;
  private readonly lane: InlineLane;
  private readonly pool: CountingPool;
  private readonly threads: number;

  /** Loads both encodings, which blocks for some 100 ms: construct it before serving. */
  constructor(options: WorkerTokenCounterOptions = {}) {
    this.inlineUnits = options.inlineUnits ?? 8192;
    this.threads = options.threads ?? Math.min(4, Math.max(1, availableParallelism() - 1));
    this.lane = new InlineLane(this.inlineUnits);
    this.pool = new CountingPool({
      entry: options.entry ?? builtEntry(),
      threads: this.threads,
      maxQueuedUnits: options.maxQueuedUnits ?? 64 * 2 ** 20,
    });
    encodingOf('o200k_base');
    encodingOf('cl100k_base');
  }

  async count(text: string, counter: TokenCounterName): Promise<number> {
    return (await this.answer({ text, counter })) as number;
  }

  async countAll(texts: readonly string[]): Promise<readonly TokenCounts[]> {
    const counts = new Array<TokenCounts>(texts.length);
    const countAt = async (index: number): Promise<void> => {
      counts[index] = (await this.answer({ text: texts[index]! })) as TokenCounts;
    };
    const large: number[] = [];
    const small: number[] = [];
    for (const [index, text] of texts.entries()) (this.isLarge(text) ? large : small).push(index);
    await Promise.all([
      inTurn(small, countAt),
      // One caller holds at most one job per thread in the queue, however many texts it brings.
      ...Array.from({ length: this.threads }, () => inTurn(large, countAt)),
    ]);
    return counts;
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private answer(job: CountingJob): Promise<CountingAnswer> {
    if (this.isLarge(job.text) && job.counter !== 'chars') return this.pool.run(job);
    return this.lane.do(job.text.length, () => answerCountingJob(job));
  }

  private isLarge(text: string): boolean {
    return text.length > this.inlineUnits;
  }
}

/** Takes indices off the front of a list, which several callers may share, until it is empty. */
async function inTurn(indices: number[], work: (index: number) => Promise<void>): Promise<void> {
  for (let index = indices.shift(); index !== undefined; index = indices.shift()) await work(index);
}

/** A thread needs JavaScript: beside the built module, or in `dist` when this module runs from its source. */
function builtEntry(): URL {
  const entry = ['./counting-worker.js', '../dist/counting-worker.js']
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(url));
  if (entry) return entry;
  throw new TerminalError('internal_error', 'The counting thread is not built: run `npm run build` first.');
}
