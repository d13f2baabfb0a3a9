import { ServiceUnavailableError } from '@palimpsest/kernel';
import type { CountingAnswer, CountingJob } from './counting-job.js';
import { CountingThread } from './counting-thread.js';

export type CountingPoolOptions = {
  readonly entry: URL;
  readonly threads: number;
  /** UTF-16 units of text that may wait for a thread; more is refused. */
  readonly maxQueuedUnits: number;
};

type WaitingJob = {
  readonly job: CountingJob;
  readonly attempt: number;
  readonly resolve: (answer: CountingAnswer) => void;
  readonly reject: (reason: unknown) => void;
};

/** Threads started when first needed. A job whose thread dies is tried once more, on another thread. */
export class CountingPool {
  private readonly idle: CountingThread[] = [];
  private readonly threads = new Set<CountingThread>();
  private readonly waiting: WaitingJob[] = [];
  private queuedUnits = 0;
  private closed = false;

  constructor(private readonly options: CountingPoolOptions) {}

  /** Rejects with `ServiceUnavailableError` when too much waits, both attempts failed, or the pool is closed. */
  run(job: CountingJob): Promise<CountingAnswer> {
    return new Promise((resolve, reject) => {
      const full =
        this.waiting.length > 0 && this.queuedUnits + job.text.length > this.options.maxQueuedUnits;
      if (this.closed || full) {
        reject(new ServiceUnavailableError('The token counter'));
        return;
      }
      this.enqueue({ job, attempt: 1, resolve, reject });
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const { reject } of this.waiting.splice(0)) reject(new ServiceUnavailableError('The token counter'));
    this.queuedUnits = 0;
    await Promise.all([...this.threads].map((thread) => thread.end()));
  }

  private enqueue(waiting: WaitingJob): void {
    this.waiting.push(waiting);
    this.queuedUnits += waiting.job.text.length;
    this.dispatch();
  }

  private dispatch(): void {
    while (this.waiting.length > 0) {
      const thread = this.idle.pop() ?? this.start();
      if (!thread) return;
      const next = this.waiting.shift()!;
      this.queuedUnits -= next.job.text.length;
      void this.runOn(thread, next);
    }
  }

  private start(): CountingThread | undefined {
    if (this.threads.size >= this.options.threads) return undefined;
    const thread: CountingThread = new CountingThread(this.options.entry, () => {
      this.threads.delete(thread);
      const at = this.idle.indexOf(thread);
      if (at >= 0) this.idle.splice(at, 1);
      this.dispatch();
    });
    this.threads.add(thread);
    return thread;
  }

  private async runOn(thread: CountingThread, waiting: WaitingJob): Promise<void> {
    try {
      waiting.resolve(await thread.run(waiting.job));
      if (this.threads.has(thread)) this.idle.push(thread);
    } catch (cause) {
      if (this.closed || waiting.attempt > 1)
        waiting.reject(new ServiceUnavailableError('The token counter', { cause }));
      else this.enqueue({ ...waiting, attempt: waiting.attempt + 1 });
    }
    this.dispatch();
  }
}
