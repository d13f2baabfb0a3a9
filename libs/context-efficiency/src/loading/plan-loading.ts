import type { Phase } from '../vocabulary/words.js';

/** What is known before anything is loaded. References are opaque: paths or ids of the caller's. */
export type LoadingFacts = {
  readonly phase: Phase;
  /** The active WorkGroup or the capsule of a fresh worker, where there is one. */
  readonly briefing: { readonly kind: 'workgroup' | 'capsule'; readonly reference: string } | null;
  /** Decisions of this step that the project or its architecture has a say in. */
  readonly decisions: { readonly project: boolean; readonly architecture: boolean };
  readonly delegationEligible: boolean;
  /** The relay's target once it has resolved. */
  readonly relayTarget: string | null;
  readonly compliance: { readonly enabled: boolean; readonly userSource: string | null };
  readonly output: 'ephemeral' | 'durable' | 'artifact';
  /** A failure at hand: whether its summary is enough, and where the raw log lies. */
  readonly failure: { readonly summaryResolves: boolean; readonly artifact: string | null } | null;
};

export type Resource =
  | 'workgroup'
  | 'capsule'
  | 'phase-contract'
  | 'project'
  | 'architecture'
  | 'execution-guide'
  | 'relay-reference'
  | 'compliance'
  | 'handoff-schema'
  | 'raw-log';

export type LoadingReason =
  | 'ACTIVE_BRIEFING'
  | 'CURRENT_PHASE'
  | 'PROJECT_DECISION'
  | 'ARCHITECTURE_DECISION'
  | 'DELEGATION_ELIGIBLE'
  | 'RELAY_RESOLVED'
  | 'COMPLIANCE_ENABLED'
  | 'COMPLIANCE_SOURCE_GIVEN'
  | 'DURABLE_OUTPUT'
  | 'SUMMARY_INSUFFICIENT';

export type LoadingStep = {
  readonly resource: Resource;
  readonly reason: LoadingReason;
  /** Which one, where the facts say so. */
  readonly reference: string | null;
};

/** What to load, in this order, and why; whatever is not in the list stays unread. */
export function planLoading(facts: LoadingFacts): readonly LoadingStep[] {
  const { phase, briefing, decisions, relayTarget } = facts;
  return [
    ...(briefing ? [step(briefing.kind, 'ACTIVE_BRIEFING', briefing.reference)] : []),
    step('phase-contract', 'CURRENT_PHASE', phase),
    ...when(decisions.project, step('project', 'PROJECT_DECISION')),
    ...when(decisions.architecture, step('architecture', 'ARCHITECTURE_DECISION')),
    ...when(facts.delegationEligible, step('execution-guide', 'DELEGATION_ELIGIBLE')),
    ...when(relayTarget !== null, step('relay-reference', 'RELAY_RESOLVED', relayTarget)),
    ...complianceSteps(facts.compliance),
    ...when(facts.output === 'durable', step('handoff-schema', 'DURABLE_OUTPUT')),
    ...failureSteps(facts.failure),
  ];
}

function step(resource: Resource, reason: LoadingReason, reference: string | null = null): LoadingStep {
  return { resource, reason, reference };
}

function when(applies: boolean, one: LoadingStep): readonly LoadingStep[] {
  return applies ? [one] : [];
}

/** A source of the user's is read with the rules switched off, too. */
function complianceSteps({ enabled, userSource }: LoadingFacts['compliance']): readonly LoadingStep[] {
  if (enabled) return [step('compliance', 'COMPLIANCE_ENABLED', userSource)];
  return when(userSource !== null, step('compliance', 'COMPLIANCE_SOURCE_GIVEN', userSource));
}

/** Raw logs come from an artifact only, and only after the summary has failed. */
function failureSteps(failure: LoadingFacts['failure']): readonly LoadingStep[] {
  if (!failure || failure.summaryResolves || failure.artifact === null) return [];
  return [step('raw-log', 'SUMMARY_INSUFFICIENT', failure.artifact)];
}
