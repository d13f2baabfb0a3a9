import { setImmediate } from 'node:timers/promises';
import type { SummaryJob, SummaryResult } from '@palimpsest/contracts';
import type { ArtifactStore, Logger, Model } from '@palimpsest/kernel';
import { countTokens } from '@palimpsest/tokens';
import { extractiveSummarizer, makeSummary } from '@palimpsest/transcript';
import { modelSummarizers, type SummaryCall } from './model-summarizer/model-summarizer.js';

export type SummaryMakerOptions = {
  readonly artifacts: ArtifactStore;
  readonly logger: Logger;
  /** Writes the prose of summaries; without it they are extractive. */
  readonly model?: { readonly model: Model; readonly timeoutMs?: number; readonly inputTokens?: number };
};

/** What a worker does with a job, counted exactly; a large one lets its process serve others meanwhile. */
export function summaryMaker({
  artifacts,
  logger,
  model,
}: SummaryMakerOptions): (job: SummaryJob, call: SummaryCall) => Promise<SummaryResult> {
  const extractive = extractiveSummarizer(countTokens, { pause: setImmediate });
  const summarizers = model
    ? modelSummarizers({ ...model, fallback: extractive, count: countTokens, logger })
    : () => extractive;
  return (job, call) => makeSummary(job, { artifacts, summarizer: summarizers(call), count: countTokens });
}
