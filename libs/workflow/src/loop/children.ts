import type { WorkflowRunState } from '@palimpsest/contracts';
import type { EffectOutcome } from './effects.js';

/** Runs that have to end before this one, as far as the log tells. */
export function childrenOf(
  state: WorkflowRunState,
  childRunIdOf: (began: number) => string,
): readonly string[] {
  const begun = state.loop?.worker;
  return isBegun(state) && begun ? [...state.children, childRunIdOf(begun.began)] : state.children;
}

/** Also where a child may have been started without the log knowing yet. */
export function hasChildren(state: WorkflowRunState): boolean {
  return state.children.length > 0 || isBegun(state);
}

export function isChildless(state: WorkflowRunState, outcome: EffectOutcome | undefined): boolean {
  return !hasChildren(state) || outcome?.kind === 'children-ended';
}

function isBegun({ loop }: WorkflowRunState): boolean {
  return loop?.worker?.phase === 'began';
}
