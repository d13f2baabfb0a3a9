/** One that the contract takes (§12.1), and that promotes nothing. */
export const measuredPair = {
  id: 'ui-integration-03',
  stratum: 'ui-integration',
  provenance: { kind: 'measured', empirical: true, promotion_authorized: true },
  baseline: {
    billed_cost: 100,
    wall_time_ms: 1000,
    quality_score: 90,
    rework_rounds: 0,
    escaped_high_critical: 0,
  },
  candidate: {
    billed_cost: 75,
    wall_time_ms: 850,
    quality_score: 88,
    rework_rounds: 0,
    escaped_high_critical: 0,
  },
};
