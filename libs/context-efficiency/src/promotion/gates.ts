import type { EnvelopeFault } from './measurement-envelope.js';
import type { PromotionMetrics } from './metrics.js';
import type { Thresholds } from './thresholds.js';

export type GateName =
  | 'provenance'
  | 'sample_size'
  | 'strata'
  | 'median_cost'
  | 'p75_cost'
  | 'p95_cost'
  | 'median_wall_time'
  | 'quality'
  | 'rework'
  | 'security'
  | 'reconciliation';

export type ProvenanceCause = EnvelopeFault | 'pairs_not_measured';

/** One gate for a report: its figure and its limit are null where it has none. */
export type GateVerdict = {
  readonly gate: GateName;
  readonly figure: number | null;
  readonly threshold: number | null;
  readonly passed: boolean;
  /** Of a provenance that is not believed: all of them. No answer of an operation has it. */
  readonly causes?: readonly ProvenanceCause[];
};

/** Each is judged by itself (contract §12.3). */
export function judgeGates(metrics: PromotionMetrics, limits: Thresholds): readonly GateVerdict[] {
  const error = metrics.max_provider_reconciliation_error;
  const tolerance = limits.provider_reconciliation_tolerance;
  const reconciles = metrics.provider_accounting_complete && error !== null && error <= tolerance;
  return [
    holds('provenance', metrics.measured_pair_provenance && metrics.trusted_measurement_envelope),
    atLeast('sample_size', metrics.sample_size, limits.minimum_sample_size),
    strataGate(metrics, limits),
    atLeast('median_cost', metrics.median_cost_reduction, limits.median_cost_reduction),
    atLeast('p75_cost', metrics.p75_cost_reduction, limits.p75_cost_reduction),
    atMost('p95_cost', metrics.p95_cost_regression, limits.max_p95_regression),
    atLeast('median_wall_time', metrics.median_wall_time_reduction, limits.median_wall_time_reduction),
    atMost('quality', metrics.quality_drop_points, limits.max_quality_drop_points),
    atMost('rework', metrics.rework_relative_regression, limits.max_rework_relative_regression),
    holds('security', !metrics.new_high_critical_escape),
    { gate: 'reconciliation', figure: error, threshold: tolerance, passed: reconciles },
  ];
}

function holds(gate: GateName, passed: boolean): GateVerdict {
  return { gate, figure: null, threshold: null, passed };
}

function atLeast(gate: GateName, figure: number, threshold: number): GateVerdict {
  return { gate, figure, threshold, passed: figure >= threshold };
}

function atMost(gate: GateName, figure: number, threshold: number): GateVerdict {
  return { gate, figure, threshold, passed: figure <= threshold };
}

/** Its figure is the smallest of the required strata. */
function strataGate({ stratum_counts }: PromotionMetrics, limits: Thresholds): GateVerdict {
  const counts = new Map<unknown, number>(Object.entries(stratum_counts));
  const sizes = limits.required_strata.map((stratum) => counts.get(stratum) ?? 0);
  const smallest = sizes.reduce((one, other) => Math.min(one, other));
  return atLeast('strata', smallest, limits.minimum_per_stratum);
}
