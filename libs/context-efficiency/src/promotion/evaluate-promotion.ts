import { factOf, factsOf, type Facts } from '../json/facts.js';
import { judgeGates, type GateName, type GateVerdict, type ProvenanceCause } from './gates.js';
import { readPairs } from './measured-pair.js';
import { envelopeFaults } from './measurement-envelope.js';
import { metricsOf, type PromotionMetrics } from './metrics.js';
import { readThresholds } from './thresholds.js';

export type PromotionVerdict = {
  readonly promote: boolean;
  readonly metrics: PromotionMetrics;
  readonly gates: Readonly<Record<GateName, boolean>>;
};

export type PromotionOptions = {
  /** Milliseconds of Unix time, where the request's options have no `now`. */
  readonly clock: number;
  /** The JSON text of trusted keys (contract §12.5); never from the request. */
  readonly trustedKeys: string | undefined;
};

/**
 * Whether measured pairs justify a promotion (contract §12). The request is `{ pairs, thresholds?, options? }`. No
 * ledger is kept: whoever promotes records the run id as consumed.
 */
export function evaluatePromotion(request: Facts, options: PromotionOptions): PromotionVerdict {
  const { metrics, gates } = promotionReport(request, options);
  return {
    promote: gates.every(({ passed }) => passed),
    metrics,
    gates: Object.fromEntries(gates.map(({ gate, passed }) => [gate, passed])) as Record<GateName, boolean>,
  };
}

/** The same with each gate's figure and threshold, and why the provenance is not believed, for people. */
export function promotionReport(
  request: Facts,
  { clock, trustedKeys }: PromotionOptions,
): { readonly metrics: PromotionMetrics; readonly gates: readonly GateVerdict[] } {
  const given = factOf(request, 'pairs');
  const pairs = readPairs(given);
  const limits = readThresholds(request);
  const options = factsOf(request, 'options');
  const trust = { pairs: given as readonly unknown[], options, clock, trustedKeys };
  const faults = envelopeFaults(trust);
  const metrics = metricsOf(pairs, faults.length === 0);
  const causes = metrics.measured_pair_provenance ? faults : (['pairs_not_measured', ...faults] as const);
  return { metrics, gates: judgeGates(metrics, limits).map((gate) => withCauses(gate, causes)) };
}

function withCauses(verdict: GateVerdict, causes: readonly ProvenanceCause[]): GateVerdict {
  return verdict.gate === 'provenance' && causes.length > 0 ? { ...verdict, causes } : verdict;
}
