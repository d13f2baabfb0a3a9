import type { Logger } from '@palimpsest/kernel';
import type { AssembledWindow, AssemblyInput } from '../domain/assemble-window.js';
import { nextSummary } from '../domain/next-summary.js';
import type { SummaryDesk } from './summary-desk.js';
import type { SummaryRequest } from './summary-job-of.js';

export type RunOfSummaries = Pick<SummaryRequest, 'tenantId' | 'runId' | 'counter' | 'permit' | 'nodeId'>;

/**
 * Has the summary of the next compaction made while the caller's model thinks, so that no turn waits for it. Whatever goes
 * wrong here is no turn's concern: a compaction without a summary that is ready asks for one.
 */
export class PrepareAhead {
  constructor(
    private readonly summaries: SummaryDesk,
    private readonly logger: Logger,
  ) {}

  /** Called with a window that is recorded; nobody waits for it. */
  after(run: RunOfSummaries, input: AssemblyInput, window: AssembledWindow): void {
    const wanted = nextSummary(input, window);
    if (!wanted) return;
    this.summaries.prepare({ ...run, ...wanted }).catch((error: unknown) => {
      const fields = { runId: run.runId, error: error instanceof Error ? error.name : 'unknown' };
      this.logger.warn(fields, 'no summary is prepared ahead');
    });
  }
}
