import { summaryJobSchema, type SummaryJob, type SummaryResult } from '@palimpsest/contracts';
import {
  ValidationError,
  type Delivery,
  type IdSource,
  type Logger,
  type MessageBus,
} from '@palimpsest/kernel';
import type { SummaryCall } from '../model-summarizer/model-summarizer.js';
import { JobClaim, SIGN_OF_LIFE_MS, SummaryTakenError } from './summary-claim.js';
import { tellAssembler } from './tell-assembler.js';

export type SummaryJobPorts = {
  readonly bus: MessageBus;
  readonly logger: Logger;
  /** Names this worker, and each making of a summary. */
  readonly ids: Pick<IdSource, 'requestId'>;
  readonly makeSummary: (job: SummaryJob, call: Required<SummaryCall>) => Promise<SummaryResult>;
  /** Acts again and again until what it returned is called. */
  readonly startTicking: (everyMs: number, act: () => void) => () => void;
};

/** One worker at its jobs, from its start to its end. */
export class JobDesk {
  readonly #worker: string;
  /** A job may stand in the queue twice, as after a restart of the assembler; one worker's claims cannot tell them apart. */
  readonly #atWork = new Set<string>();

  /** `ending`: gives up what is at work. */
  constructor(
    private readonly ports: SummaryJobPorts,
    private readonly ending: AbortSignal,
  ) {
    this.#worker = ports.ids.requestId();
  }

  /** Does one job and tells the assembler; returning acknowledges it. */
  async handle(delivery: Delivery): Promise<void> {
    const parsed = summaryJobSchema.safeParse(delivery.body);
    if (!parsed.success) throw new ValidationError('This is no summary job.', { messageId: delivery.id });
    const job = parsed.data;
    if (this.#atWork.has(job.jobId)) throw new SummaryTakenError(job.jobId);
    this.#atWork.add(job.jobId);
    try {
      await this.#claimed(job, delivery);
    } finally {
      this.#atWork.delete(job.jobId);
    }
  }

  async #claimed(job: SummaryJob, delivery: Delivery): Promise<void> {
    const claim = new JobClaim(this.ports.bus, job, this.#worker);
    const verdict = await claim.take();
    if (verdict === 'taken') throw new SummaryTakenError(job.jobId);
    if (verdict === 'done') return this.#log(job, 'done before');
    const lost = new AbortController();
    const stop = this.ports.startTicking(SIGN_OF_LIFE_MS, () => void signOfLife({ claim, delivery, lost }));
    try {
      await this.#make(job, AbortSignal.any([this.ending, lost.signal]));
    } catch (error) {
      await claim.giveUp();
      throw error;
    } finally {
      stop();
    }
  }

  async #make(job: SummaryJob, signal: AbortSignal): Promise<void> {
    const invocation = `${job.jobId.slice(0, LONGEST_JOB_ID)}.${this.ports.ids.requestId()}`;
    const result = await this.ports.makeSummary(job, { invocation, signal });
    await tellAssembler(this.ports.bus, result, signal);
    this.#log(job, result.outcome, result);
  }

  #log({ jobId, tenantId, runId, messages }: SummaryJob, outcome: string, result?: SummaryResult): void {
    const made = result && {
      ...(result.outcome === 'made' && { by: result.by }),
      invocations: result.invocations?.length ?? 0,
    };
    const fields = { jobId, tenantId, runId, messages: messages.length, outcome, ...made };
    this.ports.logger.info(fields, 'Summary job done');
  }
}

/** Of a job's id in the id of an invocation, so that this stays within 128 characters. */
const LONGEST_JOB_ID = 64;

type Alive = { readonly claim: JobClaim; readonly delivery: Delivery; readonly lost: AbortController };

/** A claim that somebody else has now, or a job that has its answer, ends the work; an assembler that is away does not. */
async function signOfLife({ claim, delivery, lost }: Alive): Promise<void> {
  delivery.working();
  const verdict = await claim.take().catch(() => undefined);
  if (verdict === 'taken' || verdict === 'done') lost.abort();
}
