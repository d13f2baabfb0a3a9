import { STRATA, type Stratum } from '../vocabulary/words.js';
import type { MeasuredPair, Side } from './measured-pair.js';
import { median, quantile } from './statistics.js';

/** What the gates are judged by (contract §12.2). Infinity is written as null. */
export type PromotionMetrics = {
  readonly sample_size: number;
  readonly stratum_counts: Readonly<Partial<Record<Stratum, number>>>;
  readonly median_cost_reduction: number;
  readonly p75_cost_reduction: number;
  readonly p95_cost_regression: number;
  readonly median_wall_time_reduction: number;
  readonly quality_drop_points: number;
  readonly rework_relative_regression: number;
  readonly new_high_critical_escape: boolean;
  readonly max_provider_reconciliation_error: number | null;
  readonly provider_accounting_complete: boolean;
  readonly measured_pair_provenance: boolean;
  readonly trusted_measurement_envelope: boolean;
};

export function metricsOf(pairs: readonly MeasuredPair[], isTrusted: boolean): PromotionMetrics {
  const saved = pairs.map(reduction('billedCost'));
  const grown = pairs.map(({ baseline, candidate }) =>
    relativeGrowth(baseline.billedCost, candidate.billedCost),
  );
  return {
    sample_size: pairs.length,
    stratum_counts: countsOf(pairs),
    median_cost_reduction: median(saved),
    // the worse tail: three quarters of the pairs save at least so much
    p75_cost_reduction: quantile(saved, 0.25),
    p95_cost_regression: quantile(grown, 0.95),
    median_wall_time_reduction: median(pairs.map(reduction('wallTimeMs'))),
    ...qualityOf(pairs),
    ...accountingOf(pairs),
    measured_pair_provenance: pairs.every(({ isMeasured }) => isMeasured),
    trusted_measurement_envelope: isTrusted,
  };
}

function reduction(field: 'billedCost' | 'wallTimeMs'): (pair: MeasuredPair) => number {
  return ({ baseline, candidate }) => (baseline[field] - candidate[field]) / baseline[field];
}

function relativeGrowth(before: number, after: number): number {
  return (after - before) / before;
}

function countsOf(pairs: readonly MeasuredPair[]): PromotionMetrics['stratum_counts'] {
  const counted = STRATA.map((stratum) => [stratum, pairs.filter((pair) => pair.stratum === stratum).length]);
  return Object.fromEntries(counted.filter(([, count]) => count !== 0)) as PromotionMetrics['stratum_counts'];
}

type Quality = Pick<
  PromotionMetrics,
  'quality_drop_points' | 'rework_relative_regression' | 'new_high_critical_escape'
>;

function qualityOf(pairs: readonly MeasuredPair[]): Quality {
  const medianOf = (side: 'baseline' | 'candidate', field: keyof Side): number =>
    median(pairs.map((pair) => pair[side][field]));
  const [before, after] = [medianOf('baseline', 'reworkRounds'), medianOf('candidate', 'reworkRounds')];
  return {
    quality_drop_points: medianOf('baseline', 'qualityScore') - medianOf('candidate', 'qualityScore'),
    // without rework before, any at all is infinitely more
    rework_relative_regression: before === 0 && after === 0 ? 0 : relativeGrowth(before, after),
    new_high_critical_escape: pairs.some(
      ({ baseline, candidate }) => candidate.escapedHighCritical > baseline.escapedHighCritical,
    ),
  };
}

type Accounting = Pick<
  PromotionMetrics,
  'max_provider_reconciliation_error' | 'provider_accounting_complete'
>;

function accountingOf(pairs: readonly MeasuredPair[]): Accounting {
  const errors = pairs.flatMap(({ providerTotal, accountedTotal }) =>
    providerTotal === null || accountedTotal === null
      ? []
      : [Math.abs(accountedTotal - providerTotal) / providerTotal],
  );
  return {
    max_provider_reconciliation_error: errors.length > 0 ? errors.reduce((a, b) => Math.max(a, b)) : null,
    provider_accounting_complete: errors.length === pairs.length,
  };
}
