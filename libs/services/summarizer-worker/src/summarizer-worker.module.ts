import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { STREAMS } from '@palimpsest/contracts';
import type { BusSubscription } from '@palimpsest/kernel';
import { makeSummaryJob, type SummaryJobPorts } from './handlers/make-summary-job.js';

export type SummarizerWorkerOptions = SummaryJobPorts & {
  /** Jobs at work at once in this instance. Default 1. */
  readonly concurrency?: number;
};

/**
 * A job whose store or assembler is away is tried for about six minutes before it becomes a dead letter; a job that
 * fails for no known reason, five times.
 */
const MAX_RETRYABLE_ATTEMPTS = 20;

const OPTIONS = Symbol('SummarizerWorkerOptions');

/** Takes summary jobs from the queue that all workers share, from bootstrap to shutdown. */
@Module({})
export class SummarizerWorkerModule implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #options: SummarizerWorkerOptions;
  #consumer: BusSubscription | undefined;

  constructor(@Inject(OPTIONS) options: SummarizerWorkerOptions) {
    this.#options = options;
  }

  static register(options: SummarizerWorkerOptions): DynamicModule {
    return { module: SummarizerWorkerModule, providers: [{ provide: OPTIONS, useValue: options }] };
  }

  async onApplicationBootstrap(): Promise<void> {
    const { bus, concurrency = 1 } = this.#options;
    this.#consumer = await bus.consume(
      {
        stream: STREAMS.summarize,
        durable: 'summarizer-worker',
        concurrency,
        maxRetryableAttempts: MAX_RETRYABLE_ATTEMPTS,
      },
      (delivery) => makeSummaryJob(delivery, this.#options),
    );
  }

  async onModuleDestroy(): Promise<void> {
    await this.#consumer?.close();
  }
}
