import {
  ASSEMBLER_SUBJECTS,
  claimSummarySchema,
  summaryResultSchema,
  type ClaimSummary,
  type SummaryClaim,
  type SummaryResult,
} from '@palimpsest/contracts';
import { systemClock, type Clock, type MessageBus } from '@palimpsest/kernel';

/** The assembler as workers know it: it keeps their claims and takes what they make. */
export class PlayedAssembler {
  readonly #claims = new Map<string, { readonly claimant: string; readonly until: number }>();
  readonly #done = new Set<string>();
  /** Everything that was told, another answer to a job too; the same one told twice, as after a lost reply, once. */
  readonly results: SummaryResult[] = [];
  readonly #told = new Set<string>();

  constructor(private readonly clock: Clock = systemClock) {}

  async answer(bus: MessageBus): Promise<void> {
    await bus.respond(ASSEMBLER_SUBJECTS.claimSummary, 'assembler', async (body) => ({
      verdict: this.#claim(claimSummarySchema.parse(body)),
    }));
    await bus.respond(ASSEMBLER_SUBJECTS.completeSummary, 'assembler', async (body) => {
      const result = summaryResultSchema.parse(body);
      const said = JSON.stringify(result);
      if (!this.#told.has(said)) this.results.push(result);
      this.#told.add(said);
      this.#done.add(result.jobId);
      return body;
    });
  }

  #claim({ jobId, claimant, leaseMs }: ClaimSummary): SummaryClaim['verdict'] {
    if (this.#done.has(jobId)) return 'done';
    const now = this.clock.now().getTime();
    const known = this.#claims.get(jobId);
    if (known && known.claimant !== claimant && known.until > now) return 'taken';
    this.#claims.set(jobId, { claimant, until: now + leaseMs });
    return 'work';
  }
}
