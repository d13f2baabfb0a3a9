import {
  STREAMS,
  summarizeSubject,
  summaryDoneSubject,
  type JsonObject,
  type SummaryJob,
  type SummaryResult,
  type TokenCounterName,
} from '@palimpsest/contracts';
import { isPalimpsestError, type Clock, type Logger, type MessageBus } from '@palimpsest/kernel';
import type { SummaryWanted } from '../domain/assemble-window.js';
import type { SummaryJobStore } from '../store/summary-job-store.js';
import type { RunKey } from './window-describer.js';

export type SummaryDeskOptions = {
  readonly bus: MessageBus;
  readonly jobs: SummaryJobStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Makes the summary here, with the deterministic summarizer: the answer when no worker gives one in time. */
  readonly makeHere: (job: SummaryJob) => Promise<SummaryResult>;
  /** How long a window waits for the workers. Default 2000. */
  readonly deadlineMs?: number;
};

export type SummaryRequest = RunKey & SummaryWanted & { readonly counter: TokenCounterName };

/**
 * Has summaries made by the worker fleet. A job is recorded before it is published and answered once; what it
 * asks for decides its id, so asking again, also after a crash, finds the same job and its answer.
 */
export class SummaryDesk {
  constructor(private readonly options: SummaryDeskOptions) {}

  async obtain(request: SummaryRequest): Promise<{ summaryRef: string; tokens: number } | undefined> {
    const job = summaryJob(request);
    const result = (await this.options.jobs.open(job, this.options.clock.now())) ?? (await this.made(job));
    return result.outcome === 'made' ? { summaryRef: result.summaryRef, tokens: result.tokens } : undefined;
  }

  /** Records a worker's answer; the first one stands. Wakes whoever waits. */
  async complete(result: SummaryResult): Promise<SummaryResult> {
    const standing = await this.options.jobs.complete(result, this.options.clock.now());
    this.options.bus.notify(summaryDoneSubject(result.tenantId, result.jobId), null);
    return standing;
  }

  /** Publishes again what no worker has answered, as after a restart. */
  async republish(): Promise<number> {
    const pending = await this.options.jobs.pending(500);
    for (const job of pending) await this.publish(job);
    return pending.length;
  }

  private async made(job: SummaryJob): Promise<SummaryResult> {
    const waiting = await this.waitFor(job);
    try {
      if (await this.published(job)) {
        const answer = await waiting.answer();
        if (answer) return answer;
      }
    } finally {
      await waiting.close();
    }
    this.options.logger.warn(
      { jobId: job.jobId, runId: job.runId },
      'no worker answered in time: summarized here',
    );
    return this.complete(await this.options.makeHere(job));
  }

  private async published(job: SummaryJob): Promise<boolean> {
    try {
      await this.publish(job);
      return true;
    } catch (error) {
      if (isPalimpsestError(error) && error.retryable) return false;
      throw error;
    }
  }

  private publish(job: SummaryJob): Promise<void> {
    const subject = summarizeSubject(job.tenantId);
    return this.options.bus.publish(STREAMS.summarize, { id: job.jobId, subject, body: job as JsonObject });
  }

  /** Listens before the job is published, so that no answer is missed; the record decides, the wake-up only hurries. */
  private async waitFor(
    job: SummaryJob,
  ): Promise<{ answer(): Promise<SummaryResult | undefined>; close(): Promise<void> }> {
    let wake: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    const listening = await this.options.bus
      .listen(summaryDoneSubject(job.tenantId, job.jobId), () => wake())
      .catch(() => undefined);
    const timer = setTimeout(() => wake(), this.options.deadlineMs ?? 2000);
    return {
      answer: async () => {
        await woken;
        return this.options.jobs.resultOf(job);
      },
      close: async () => {
        clearTimeout(timer);
        await listening?.close();
      },
    };
  }
}

function summaryJob({ tenantId, runId, counter, rows, previousRef, maxTokens }: SummaryRequest): SummaryJob {
  const first = rows[0]?.sequence ?? 0;
  const last = rows.at(-1)?.sequence ?? 0;
  const absorbed = previousRef === undefined ? '' : `-${previousRef.slice(4, 12)}`;
  return {
    jobId: `${runId}-${first}-${last}-${rows.length}-${maxTokens}${absorbed}`.slice(-128),
    tenantId,
    runId,
    tokenCounter: counter,
    maxTokens,
    ...(previousRef !== undefined && { previousRef }),
    messages: rows.map(({ sequence, artifactId }) => ({ sequence, artifactId })),
  };
}
