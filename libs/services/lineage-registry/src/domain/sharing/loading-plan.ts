import { planLoading, type LoadingFacts } from '@palimpsest/context-efficiency';
import type { CapsuleView, LoadingPlan, PlanLoading } from '@palimpsest/contracts/registry';
import type { Workgroup } from '../workgroup/workgroup.js';

/** What to load, in this order: the phase is the recorded one, and so is the capsule, where the worker has one. */
export function loadingPlanOf(
  { workgroupId, phase }: Pick<Workgroup, 'workgroupId' | 'phase'>,
  query: PlanLoading,
  capsule?: Pick<CapsuleView, 'capsuleHash'>,
): LoadingPlan {
  const briefing: LoadingFacts['briefing'] = capsule
    ? { kind: 'capsule', reference: capsule.capsuleHash }
    : { kind: 'workgroup', reference: workgroupId };
  return { phase, steps: [...planLoading({ ...statedFacts(query), phase, briefing })] };
}

/** What is left out is not so: nothing is loaded for it. */
function statedFacts(query: PlanLoading): Omit<LoadingFacts, 'phase' | 'briefing'> {
  const { decisions, compliance, failure } = query;
  return {
    decisions: decisions ?? { project: false, architecture: false },
    delegationEligible: query.delegationEligible ?? false,
    relayTarget: query.relayTarget ?? null,
    compliance: { enabled: compliance?.enabled ?? false, userSource: compliance?.userSource ?? null },
    output: query.output ?? 'ephemeral',
    failure: failure ? { ...failure, artifact: failure.artifact ?? null } : null,
  };
}
