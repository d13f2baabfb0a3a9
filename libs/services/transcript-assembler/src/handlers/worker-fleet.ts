import {
  STREAMS,
  summarizeSubject,
  summaryDoneSubject,
  type SummaryJob,
  type SummaryResult,
} from '@palimpsest/contracts';
import { isPalimpsestError, RetryableError, type Logger, type MessageBus } from '@palimpsest/kernel';
import {
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleType,
  isBrokenCircuitError,
} from 'cockatiel';
import type { SummaryJobStore } from '../store/summary-job-store.js';
import type { Patience } from './patience.js';

/** Deadlines that the workers miss one after another before nobody waits for them. */
const MISSES = 3;

export type WorkerFleetOptions = {
  readonly bus: MessageBus;
  readonly jobs: SummaryJobStore;
  readonly logger: Logger;
  /** How long nobody waits for workers that missed their deadlines; then one job is tried. Default 15 s. */
  readonly coolDownMs?: number;
};

/** No answer by the deadline, or no way to ask. */
class NoWorkerAnsweredError extends RetryableError {
  constructor(jobId: string) {
    super('service_unavailable', 'No worker answered in time.', { details: { jobId } });
  }
}

/**
 * Gives jobs to the workers and waits for their answers. Where they missed several deadlines in a row it does not wait any
 * more, until a cool-down has passed: then one job is tried, and all others are refused for as long as it takes.
 */
export class WorkerFleet {
  readonly #breaker;

  constructor(private readonly options: WorkerFleetOptions) {
    const { logger, coolDownMs = 15_000 } = options;
    this.#breaker = circuitBreaker(handleType(NoWorkerAnsweredError), {
      halfOpenAfter: coolDownMs,
      breaker: new ConsecutiveBreaker(MISSES),
    });
    this.#breaker.onBreak(() =>
      logger.warn({ coolDownMs }, 'workers answer no summary jobs: not waited for'),
    );
    this.#breaker.onReset(() => logger.info({}, 'workers answer summary jobs again'));
  }

  /** The answer to an open job; undefined where none comes in time, or none is waited for. */
  async answer(job: SummaryJob, patience: Patience): Promise<SummaryResult | undefined> {
    // a second caller of a half-open breaker would wait for the first one's trial and then for its own answer
    if (patience.isOver || this.#breaker.state === CircuitState.HalfOpen) return undefined;
    try {
      return await this.#breaker.execute(() => this.asked(job, patience));
    } catch (error) {
      if (error instanceof NoWorkerAnsweredError || isBrokenCircuitError(error)) return undefined;
      throw error;
    }
  }

  /** `nth`: the n-th time after the first, told apart from that so that the bus does not drop it. */
  publish(job: SummaryJob, nth = 0): Promise<void> {
    const id = nth === 0 ? job.jobId : `${job.jobId}.${nth}`;
    const subject = summarizeSubject(job.tenantId);
    return this.options.bus.publish(STREAMS.summarize, { id, subject, body: job });
  }

  /** False where the bus cannot be reached; the job stays open. */
  async published(job: SummaryJob, nth = 0): Promise<boolean> {
    try {
      await this.publish(job, nth);
      return true;
    } catch (error) {
      if (isPalimpsestError(error) && error.retryable) return false;
      throw error;
    }
  }

  /** Listens before the job is published, so that no answer is missed; the record decides, the wake-up only hurries. */
  private async asked(job: SummaryJob, patience: Patience): Promise<SummaryResult> {
    let wake: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    const listening = await this.options.bus
      .listen(summaryDoneSubject(job.tenantId, job.jobId), () => wake())
      .catch(() => undefined);
    try {
      if (await this.published(job)) await patience.within(woken);
      const answer = await this.options.jobs.resultOf(job);
      if (answer) return answer;
      throw new NoWorkerAnsweredError(job.jobId);
    } finally {
      await listening?.close();
    }
  }
}
