import { refuse } from '../answers/context-refusal.js';
import { factOf, isFacts, type Facts } from '../json/facts.js';
import { STRATA } from '../vocabulary/words.js';

/** The limits of the gates; all are inclusive (contract §12.3). */
export type Thresholds = {
  readonly minimum_sample_size: number;
  readonly required_strata: readonly unknown[];
  readonly minimum_per_stratum: number;
  readonly median_cost_reduction: number;
  readonly p75_cost_reduction: number;
  readonly max_p95_regression: number;
  readonly median_wall_time_reduction: number;
  readonly max_quality_drop_points: number;
  readonly max_rework_relative_regression: number;
  readonly provider_reconciliation_tolerance: number;
};

export const PUBLISHED: Thresholds = {
  minimum_sample_size: 40,
  required_strata: STRATA,
  minimum_per_stratum: 8,
  median_cost_reduction: 0.25,
  p75_cost_reduction: 0.15,
  max_p95_regression: 0.1,
  median_wall_time_reduction: 0.15,
  max_quality_drop_points: 2,
  max_rework_relative_regression: 0.05,
  provider_reconciliation_tolerance: 0.02,
};

/** A caller may tighten each limit by itself; a looser one is ignored. */
export function readThresholds(request: Facts): Thresholds {
  const asked = askedThresholds(request);
  const raised = (name: Limit): number => Math.max(PUBLISHED[name], limitUnder(asked, name));
  const lowered = (name: Limit): number => Math.min(PUBLISHED[name], limitUnder(asked, name));
  return {
    minimum_sample_size: raised('minimum_sample_size'),
    required_strata: strataOf(asked),
    minimum_per_stratum: raised('minimum_per_stratum'),
    median_cost_reduction: raised('median_cost_reduction'),
    p75_cost_reduction: raised('p75_cost_reduction'),
    max_p95_regression: lowered('max_p95_regression'),
    median_wall_time_reduction: raised('median_wall_time_reduction'),
    max_quality_drop_points: lowered('max_quality_drop_points'),
    max_rework_relative_regression: lowered('max_rework_relative_regression'),
    provider_reconciliation_tolerance: lowered('provider_reconciliation_tolerance'),
  };
}

type Limit = Exclude<keyof Thresholds, 'required_strata'>;

/** Every own value is a finite number, under unknown names too; only the strata are a list. */
function askedThresholds(request: Facts): Facts {
  if (!Object.hasOwn(request, 'thresholds')) return {};
  const asked = factOf(request, 'thresholds');
  if (!isFacts(asked)) return refuse('INVALID_REQUEST');
  const areLimits = Object.entries(asked).every(
    ([name, value]) => name === 'required_strata' || Number.isFinite(value),
  );
  return areLimits ? asked : refuse('INVALID_REQUEST');
}

function limitUnder(asked: Facts, name: Limit): number {
  return (factOf(asked, name) as number | undefined) ?? PUBLISHED[name];
}

/** Strata are only added: one that no pair can have fails its gate for good. */
function strataOf(asked: Facts): readonly unknown[] {
  const added = factOf(asked, 'required_strata');
  return Array.isArray(added) ? [...new Set<unknown>([...STRATA, ...(added as unknown[])])] : STRATA;
}
