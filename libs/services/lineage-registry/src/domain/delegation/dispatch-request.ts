import type { Facts } from '@palimpsest/context-efficiency';
import type { Delegate } from '@palimpsest/contracts/registry';
import type { RolloutStanding } from '../rollout/rollout.js';
import type { Standing } from './standing.js';
import { taskCorpusOf } from './task-corpus.js';
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
      lineage: { lineage: lineage.record, current: currentFacts(command, standing) },
    }),
    ...(command.resultPolicy && { result_policy: command.resultPolicy }),
  };
}

/** What a named lineage is judged by (contract §5.2): the caller's facts, and over them what the command and the registry know. */
export function currentFacts({ current, independentReviewer }: Delegate, standing: Standing): Facts {
  return {
    ...current,
    ...(independentReviewer && { independent_reviewer: true }),
    ...recordedFacts(standing),
  };
}

/** What the selector is asked with (contract §8), without the modes. */
export function rolloutFacts(command: Delegate, { stage, canaryPercent }: RolloutStanding): Facts {
  return { rollout: stage, canary_percent: canaryPercent, task_corpus_id: taskCorpusOf(command) };
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
