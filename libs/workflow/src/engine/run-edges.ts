import type { WorkflowEdge, WorkflowRunState } from '@palimpsest/contracts';
import { nodeStateOf } from '../fold/node-state-of.js';
import { conditionHolds } from '../values/condition.js';
import { scopeOf } from '../values/scope.js';
import type { RunPlan } from './run-plan.js';
import type { EdgeOutcome } from './trigger-rules.js';

/** `broken`: the edge's condition could not be evaluated. */
export type EvaluatedEdge = EdgeOutcome | 'broken';

/** What edges have become. Conditions are evaluated once, and again only where a node that they may look at has ended. */
export class RunEdges {
  readonly #plan: RunPlan;
  readonly #known = new Map<WorkflowEdge, EvaluatedEdge>();

  constructor(plan: RunPlan) {
    this.#plan = plan;
  }

  outcome(edge: WorkflowEdge, state: WorkflowRunState): EvaluatedEdge {
    const source = nodeStateOf(state, edge.sourceNodeId);
    switch (source?.status) {
      case 'completed':
        return edge.condition ? this.#conditional(edge, state) : 'success';
      case 'failed':
        return 'failed';
      case 'skipped':
      case 'cancelled':
        return 'skipped';
      case 'running':
      case 'suspended':
      case 'retrying':
      case undefined:
        return 'pending';
      default:
        return source satisfies never;
    }
  }

  /** After something happened to this node. */
  forget(nodeId: string): void {
    for (const edge of this.#known.keys()) {
      if (looksBeyondItsSource(edge) && this.#plan.upstream(edge.sourceNodeId).has(nodeId)) {
        this.#known.delete(edge);
      }
    }
  }

  #conditional(edge: WorkflowEdge, state: WorkflowRunState): EvaluatedEdge {
    const known = this.#known.get(edge);
    if (known) return known;
    const visible = () => [edge.sourceNodeId, ...this.#plan.upstream(edge.sourceNodeId)];
    const holds = conditionHolds(edge, scopeOf(state, visible));
    const outcome = !holds.ok ? 'broken' : holds.value ? 'success' : 'skipped';
    this.#known.set(edge, outcome);
    return outcome;
  }
}

/** Whether other nodes' outputs may be a part of a condition: only their names could say so. */
function looksBeyondItsSource({ condition }: WorkflowEdge): boolean {
  return /"connection"|nodes/.test(JSON.stringify(condition));
}
