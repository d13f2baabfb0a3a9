import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { STREAMS } from '@palimpsest/contracts';
import type { BusSubscription } from '@palimpsest/kernel';
import { JobDesk, type SummaryJobPorts } from './handlers/make-summary-job.js';

export type SummarizerWorkerOptions = Omit<SummaryJobPorts, 'startTicking'> & {
  /** Jobs at work at once in this instance. Default 1. */
  readonly concurrency?: number;
  /** Silence after which the bus gives a job to another worker. Default that of the bus, 30 s. */
  readonly ackWaitMs?: number;
  /** Default: a timer that does not keep the process alive. */
  readonly startTicking?: SummaryJobPorts['startTicking'];
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
  readonly #ending = new AbortController();
  #consumer: BusSubscription | undefined;

  constructor(@Inject(OPTIONS) options: SummarizerWorkerOptions) {
    this.#options = options;
  }

  static register(options: SummarizerWorkerOptions): DynamicModule {
    return { module: SummarizerWorkerModule, providers: [{ provide: OPTIONS, useValue: options }] };
  }

  async onApplicationBootstrap(): Promise<void> {
    const { bus, concurrency = 1, ackWaitMs, startTicking = timer } = this.#options;
    const desk = new JobDesk({ ...this.#options, startTicking }, this.#ending.signal);
    this.#consumer = await bus.consume(
      {
        stream: STREAMS.summarize,
        durable: 'summarizer-worker',
        concurrency,
        maxRetryableAttempts: MAX_RETRYABLE_ATTEMPTS,
        ...(ackWaitMs !== undefined && { ackWaitMs }),
      },
      (delivery) => desk.handle(delivery),
    );
  }

  /** A model may take minutes: its call is given up, and the job goes to another worker at once. */
  async onModuleDestroy(): Promise<void> {
    this.#ending.abort();
    await this.#consumer?.close();
  }
}

function timer(everyMs: number, act: () => void): () => void {
  const ticking = setInterval(act, everyMs);
  ticking.unref();
  return () => clearInterval(ticking);
}
