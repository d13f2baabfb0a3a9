import {
  ASSEMBLER_SUBJECTS,
  summaryClaimSchema,
  type ClaimSummary,
  type SummaryClaim,
  type SummaryJob,
} from '@palimpsest/contracts';
import { RetryableError, type MessageBus } from '@palimpsest/kernel';

/** What a claim is good for without a sign of life, and how often one is given. */
export const LEASE_MS = 30_000;
export const SIGN_OF_LIFE_MS = 10_000;
/** The shortest lease: a claim that is given up ends soon. */
const GIVEN_UP_MS = 1000;
const LONGEST_CLAIMANT = 128;

/** Somebody else works on the job: whether that becomes an answer is looked at again. */
export class SummaryTakenError extends RetryableError {
  constructor(jobId: string) {
    super('service_unavailable', 'Another worker is at this summary.', {
      details: { jobId },
      retryAfterMs: LEASE_MS / 3,
    });
  }
}

/** A worker's claim on one job, kept by the assembler. */
export class JobClaim {
  readonly #key: Omit<ClaimSummary, 'leaseMs'>;

  constructor(
    private readonly bus: MessageBus,
    { jobId, tenantId }: Pick<SummaryJob, 'jobId' | 'tenantId'>,
    worker: string,
  ) {
    this.#key = { jobId, tenantId, claimant: `${worker}.${jobId}`.slice(0, LONGEST_CLAIMANT) };
  }

  /** Takes the job, or keeps it. */
  take(): Promise<SummaryClaim['verdict']> {
    return this.#claim(LEASE_MS);
  }

  /** Lets others have it. Where the assembler is away the lease runs out by itself. */
  async giveUp(): Promise<void> {
    await this.#claim(GIVEN_UP_MS).catch(() => undefined);
  }

  async #claim(leaseMs: number): Promise<SummaryClaim['verdict']> {
    const body: ClaimSummary = { ...this.#key, leaseMs };
    const answer = await this.bus.request(ASSEMBLER_SUBJECTS.claimSummary, body);
    return summaryClaimSchema.parse(answer).verdict;
  }
}
