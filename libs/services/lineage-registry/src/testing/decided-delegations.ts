import { delegationViewSchema, type Delegate, type DelegationView } from '@palimpsest/contracts/registry';
import { decideDelegation } from '../domain/delegation/decide-delegation.js';
import type { RolloutStanding } from '../domain/rollout/rollout.js';
import type { Decision } from '../domain/workgroup/decision.js';
import type { Lineage, Workgroup } from '../domain/workgroup/workgroup.js';
import { delegation, lineageCalled, NOW, workgroupOf } from './delegations.js';

export type DelegationCase = {
  readonly lineages?: readonly Lineage[];
  readonly rollout?: RolloutStanding;
  readonly workgroup?: Workgroup;
};

export function decisionOn(command: Delegate, given: DelegationCase = {}): Decision<DelegationView> {
  const { lineages = [], rollout, workgroup = workgroupOf(...lineages) } = given;
  return decideDelegation(workgroup, delegation(command, rollout), NOW);
}

export function viewOn(command: Delegate, given: DelegationCase = {}): DelegationView {
  const decision = decisionOn(command, given);
  if ('refusal' in decision) throw decision.refusal;
  return delegationViewSchema.parse(decision.answer);
}

/** `mode REASON REASON` */
export function routeOn(command: Delegate, ...lineages: readonly Lineage[]): string {
  const { mode, reasonCodes } = viewOn(command, { lineages });
  return [mode, ...reasonCodes].join(' ');
}

export function refusalOn(command: Delegate, given: DelegationCase = {}): unknown {
  const decision = decisionOn(command, given);
  expect(decision.events).toEqual([]);
  return 'refusal' in decision ? [decision.refusal.code, decision.refusal.details] : 'none';
}

export const held = (lineageId: string, change: Partial<Lineage> = {}): Lineage =>
  lineageCalled(lineageId, { status: 'held', ...change });
export const FRESH = 'fresh-capsule INDEPENDENT_CAPSULE';

/** What opens full inheritance, where the record does not deny it. */
export const INHERITANCE = { affinity: 'high', safe: true, within_budget: true, full_supported: true };
