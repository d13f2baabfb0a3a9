import type { Facts } from '@palimpsest/context-efficiency';
import type { Delegate } from '@palimpsest/contracts/registry';
import type { RolloutStanding } from '../rollout/rollout.js';
import type { Standing } from './standing.js';
import type { UnitFacts } from './unit-facts.js';

/** A dispatch (contract §11) over what is recorded. */
export function dispatchRequest(
  command: Delegate,
  { routing }: UnitFacts,
  { standing, rollout }: { readonly standing: Standing; readonly rollout: RolloutStanding },
): Facts {
  const { lineage } = standing;
  return {
    routing: { input: routing },
    rollout: rolloutFacts(command, rollout),
    ...(lineage && {
      lineage: { lineage: lineage.record, current: { ...command.current, ...recordedFacts(standing) } },
    }),
    ...(command.resultPolicy && { result_policy: command.resultPolicy }),
  };
}

/** What the selector is asked with (contract §8), without the modes. */
export function rolloutFacts(
  { taskCorpusId }: Pick<Delegate, 'taskCorpusId'>,
  { stage, canaryPercent }: RolloutStanding,
): Facts {
  return { rollout: stage, canary_percent: canaryPercent, task_corpus_id: taskCorpusId };
}

/** What the registry knows of the current facts (contract §5.2): to reconcile a lineage, or the final gate, whoever asks. */
export function recordedFacts({ workgroup, lineage }: Standing): Facts {
  return {
    workgroup_id: workgroup.workgroupId,
    phase: workgroup.phase,
    ...(lineage?.reconcileRequired && { reconcile_required: true }),
    ...(workgroup.finalGate && { final_gate: true }),
  };
}
