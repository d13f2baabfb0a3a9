import type { SummaryContent, TokenCounterName, WindowPlanned } from '@palimpsest/contracts';
import { isErased, type ArtifactReading, type CountTokens } from '@palimpsest/kernel';
import { renderSummary } from '@palimpsest/transcript';
import type { StandingSummary } from '../domain/known-run.js';
import type { SummaryInForce } from '../domain/summary-in-force.js';

type Counted = {
  readonly counter: TokenCounterName;
  readonly count: CountTokens;
  /** The window before. */
  readonly last: WindowPlanned | undefined;
};

/** A summary as the next window feeds it. One that was recorded in another unit is counted again, once; undefined where it cannot be read. */
export function summaryInForce(
  { sequence, summary: { summaryRef, tokenCounter, tokensAfter } }: StandingSummary,
  reading: ArtifactReading | undefined,
  { counter, count, last }: Counted,
): SummaryInForce | undefined {
  const inForce = { summaryRef, place: { sequence } };
  if (tokenCounter === counter) return { ...inForce, tokens: tokensAfter };
  const recounted = last?.tokenCounter === counter ? last.recounted : undefined;
  const before = recounted?.find((one) => one.sequence === sequence);
  if (before) return { ...inForce, tokens: before.tokens, recounted: true };
  if (!reading || isErased(reading)) return undefined;
  const { text } = reading.content as SummaryContent;
  return { ...inForce, tokens: count(renderSummary(text), counter), recounted: true };
}
