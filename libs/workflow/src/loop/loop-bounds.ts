import {
  CAP_BREACHED,
  type NewRunEvent,
  type WorkflowNode,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { runEvent } from '../engine/new-events.js';
import { dispatchConfigOf } from './dispatch-config.js';
import { DISPATCH, SUPERVISOR } from './loop-types.js';

/** Turns of a run where neither host nor request bounds them further (host specification §5.7). */
export const MOST_TURNS = 50;

/** `cap.breached` where the turn that this visit enters is one too many; a run-scoped breach names no node. */
export function breachOfTurns(node: WorkflowNode, state: WorkflowRunState): NewRunEvent | undefined {
  const { limit, observed } = turnsAt(node, state);
  return observed > limit ? runEvent(CAP_BREACHED, { kind: 'loop-iterations', limit, observed }) : undefined;
}

function turnsAt(
  node: WorkflowNode,
  { loop, bounds }: WorkflowRunState,
): { readonly limit: number; readonly observed: number } {
  const decisions = loop?.iteration ?? 0;
  switch (node.typeId) {
    case SUPERVISOR:
      return { limit: bounds.maxLoopIterations ?? MOST_TURNS, observed: decisions + 1 };
    case DISPATCH:
      return { limit: dispatchConfigOf(node).iterationCap ?? Infinity, observed: decisions };
    default:
      return { limit: Infinity, observed: 0 };
  }
}
