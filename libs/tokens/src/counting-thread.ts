import { Worker } from 'node:worker_threads';
import type { CountingAnswer, CountingJob } from './counting-job.js';

type Settle = {
  readonly resolve: (answer: CountingAnswer) => void;
  readonly reject: (reason: unknown) => void;
};

/** One worker thread that does one job at a time. It keeps the process alive only while it works. */
export class CountingThread {
  private readonly worker: Worker;
  private settle: Settle | undefined;

  /** `onEnd` is called once, when the thread is gone for whatever reason. */
  constructor(entry: URL, onEnd: () => void) {
    this.worker = new Worker(entry);
    this.worker.unref();
    this.worker.on('message', (answer: CountingAnswer) => this.finish((job) => job.resolve(answer)));
    this.worker.on('error', (error) => this.finish((job) => job.reject(error)));
    this.worker.on('exit', (code) => {
      onEnd();
      this.finish((job) => job.reject(new ThreadEndedError(code)));
    });
  }

  run(job: CountingJob): Promise<CountingAnswer> {
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.worker.ref();
      this.worker.postMessage(job);
    });
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private finish(settle: (job: Settle) => void): void {
    const job = this.settle;
    this.settle = undefined;
    this.worker.unref();
    if (job) settle(job);
  }
}

class ThreadEndedError extends Error {
  constructor(readonly exitCode: number) {
    super(`A counting thread ended with code ${exitCode}.`);
  }
}
