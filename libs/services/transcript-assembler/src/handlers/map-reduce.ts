import type { SummaryJob, SummaryResult } from '@palimpsest/contracts';
import type { SummaryAnswer } from '../domain/assembly-effects.js';
import { refsOf } from '../domain/summary-in-force.js';
import type { TranscriptRow } from '../domain/turn.js';
import { inParallel } from './in-parallel.js';
import { summaryJobOf, type SummaryRequest } from './summary-job-of.js';

/** Parts of one summary that are with the workers at once. */
const PARTS_AT_ONCE = 16;

/**
 * A summary made in parts, by as many workers as there are, and put together by one more job. A part that is refused is
 * left out: the answer tells which messages it stands for. Undefined where all are, or where the last job is refused.
 */
export async function mapReduced(
  request: SummaryRequest,
  answered: (job: SummaryJob) => Promise<SummaryResult>,
): Promise<SummaryAnswer | undefined> {
  const { parts = [] } = request;
  const answers = await inParallel(parts, PARTS_AT_ONCE, async (rows) => {
    const job = partJob(request, rows);
    const answer = job && (await answered(job));
    return answer?.outcome === 'made' ? { rows, summaryRef: answer.summaryRef } : undefined;
  });
  const made = answers.filter((answer) => answer !== undefined);
  if (made.length === 0) return undefined;
  const absorbed = [...refsOf(request.absorbed), ...made.map(({ summaryRef }) => summaryRef)];
  const whole = await answered(summaryJobOf({ ...request, rows: [], absorbed }));
  if (whole.outcome !== 'made') return undefined;
  const { summaryRef, tokens } = whole;
  return { summaryRef, tokens, rows: made.flatMap(({ rows }) => rows) };
}

/** A part's summary is fed to no one, but it is no larger than what it is made of, nor than the whole one. */
function partJob(request: SummaryRequest, rows: readonly TranscriptRow[]): SummaryJob | undefined {
  const tokens = rows.reduce((sum, row) => sum + row.tokens, 0);
  const maxTokens = Math.min(request.maxTokens, tokens - 1);
  return maxTokens < 1 ? undefined : summaryJobOf({ ...request, rows, maxTokens, absorbed: [] });
}
