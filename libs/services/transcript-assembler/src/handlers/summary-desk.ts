import {
  claimSummarySchema,
  summaryDoneSubject,
  summaryResultSchema,
  type SummaryClaim,
  type SummaryJob,
  type SummaryResult,
} from '@palimpsest/contracts';
import {
  isErased,
  parseRequest,
  requirePermit,
  type ArtifactStore,
  type Clock,
  type Logger,
  type MessageBus,
} from '@palimpsest/kernel';
import type { PreparedSummary, SummaryAnswer } from '../domain/assembly-effects.js';
import type { SummaryJobStore } from '../store/summary-job-store.js';
import { mapReduced } from './map-reduce.js';
import { Patience } from './patience.js';
import type { RecordUsage } from './record-usage.js';
import { isPartOf, wholeJobOf, type SummaryRequest } from './summary-job-of.js';
import type { WorkerFleet } from './worker-fleet.js';

export type SummaryDeskOptions = {
  readonly fleet: WorkerFleet;
  readonly jobs: SummaryJobStore;
  readonly usage: RecordUsage;
  readonly artifacts: ArtifactStore;
  readonly bus: MessageBus;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Makes the summary here, with the deterministic summarizer: the answer when no worker gives one in time. */
  readonly makeHere: (job: SummaryJob) => Promise<SummaryResult>;
  /** How long a window waits for the workers. Default 2000. */
  readonly deadlineMs?: number;
};

/** Jobs that are published again at once. */
const REPUBLISHED = 500;

/**
 * Has summaries made by the worker fleet. A job is recorded before it is published and answered once; what it
 * asks for decides its id, so asking again, also after a crash, finds the same job and its answer.
 */
export class SummaryDesk {
  constructor(private readonly options: SummaryDeskOptions) {}

  /** For one window. Whoever takes it ends it. */
  patience(): Patience {
    return new Patience(this.options.deadlineMs ?? 2000);
  }

  /** Waits for as long as there is patience, however many jobs it takes; undefined where nothing is worth keeping. */
  async obtain(request: SummaryRequest, patience: Patience): Promise<SummaryAnswer | undefined> {
    requirePermit(request.permit, request, 'summary-job');
    if (request.parts) return mapReduced(request, (job) => this.answered(job, request, patience));
    return answerOf(await this.answered(wholeJobOf(request), request, patience));
  }

  /** Has a summary made ahead of need, and waits for nothing. A run has one such job: where it is of use still, it stays. */
  async prepare(request: SummaryRequest): Promise<void> {
    requirePermit(request.permit, request, 'summary-ahead');
    const { jobs, fleet } = this.options;
    const before = await jobs.aheadOf(request);
    if (before && isPartOf(before.job, request)) return;
    const job = wholeJobOf(request);
    if (!(await jobs.openAhead(job, this.opening(request)))) await fleet.published(job);
  }

  /** The summary that was made ahead, where it is of the messages wanted. */
  async prepared(request: SummaryRequest): Promise<PreparedSummary | undefined> {
    const { job, result } = (await this.options.jobs.aheadOf(request)) ?? {};
    if (!job || result?.outcome !== 'made' || !isPartOf(job, request)) return undefined;
    const { summaryRef, tokens } = result;
    const reading = (await this.options.artifacts.get(request.tenantId, [summaryRef])).get(summaryRef);
    if (!reading || isErased(reading)) return undefined;
    const places = new Set(job.messages.map(({ sequence }) => sequence));
    return { summaryRef, tokens, rows: request.rows.filter(({ sequence }) => places.has(sequence)) };
  }

  /** Whether a worker is to do a job. */
  async claim(body: unknown): Promise<SummaryClaim> {
    const claim = parseRequest(claimSummarySchema, body);
    return { verdict: await this.options.jobs.claim(claim, this.options.clock.now()) };
  }

  /** Records a worker's answer; the first one stands. What it cost is on the run's log before anybody hears of it. */
  async complete(body: unknown): Promise<SummaryResult> {
    const result = parseRequest(summaryResultSchema, body);
    const { jobs, usage, clock, bus } = this.options;
    await usage.of(result);
    const standing = await jobs.complete(result, clock.now());
    bus.notify(summaryDoneSubject(result.tenantId, result.jobId), null);
    return standing;
  }

  /** Publishes again what no worker has answered, as after a restart. */
  async republish(): Promise<number> {
    const pending = await this.options.jobs.pending(REPUBLISHED);
    for (const job of pending) await this.options.fleet.publish(job);
    return pending.length;
  }

  /** Publishes again what a worker has begun and not come back with. */
  async republishLapsed(): Promise<number> {
    const lapsed = await this.options.jobs.lapsed(REPUBLISHED, this.options.clock.now());
    for (const { job, times } of lapsed) await this.options.fleet.publish(job, times);
    return lapsed.length;
  }

  private async answered(
    job: SummaryJob,
    request: SummaryRequest,
    patience: Patience,
  ): Promise<SummaryResult> {
    const { jobs, fleet, logger, makeHere } = this.options;
    const answer = (await jobs.open(job, this.opening(request))) ?? (await fleet.answer(job, patience));
    if (answer) return answer;
    logger.warn({ jobId: job.jobId, runId: job.runId }, 'no worker answered in time: summarized here');
    return this.complete(await makeHere(job));
  }

  private opening({ nodeId }: SummaryRequest): { readonly at: Date; readonly nodeId?: string } {
    return { at: this.options.clock.now(), ...(nodeId !== undefined && { nodeId }) };
  }
}

function answerOf(result: SummaryResult): SummaryAnswer | undefined {
  return result.outcome === 'made' ? { summaryRef: result.summaryRef, tokens: result.tokens } : undefined;
}
