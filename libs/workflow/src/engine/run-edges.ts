import type { WorkflowEdge, WorkflowRunState } from '@palimpsest/contracts';
import { nodeStateOf } from '../fold/node-state-of.js';
import { isLoopOver } from '../loop/turns.js';
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
  /** Of those, the ones that may change. */
  readonly #unsettled = new Set<WorkflowEdge>();

  constructor(plan: RunPlan) {
    this.#plan = plan;
  }

  outcome(edge: WorkflowEdge, state: WorkflowRunState): EvaluatedEdge {
    const source = nodeStateOf(state, edge.sourceNodeId);
    switch (source?.status) {
      case 'completed':
        return this.#completed(edge, state);
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

  #completed(edge: WorkflowEdge, state: WorkflowRunState): EvaluatedEdge {
    const { loop } = this.#plan;
    if (loop.isLeaving(edge) && !isLoopOver(loop, state)) return 'pending';
    return edge.condition ? this.#conditional(edge, state) : 'success';
  }

  /** After something happened to this node. Gives the nodes to which edges lead that are to be evaluated again. */
  forget(nodeId: string): readonly string[] {
    const targets: string[] = [];
    if (this.#plan.loop.has(nodeId)) this.#forgetTurn(nodeId);
    for (const edge of this.#unsettled) {
      if (!this.#plan.upstream(edge.sourceNodeId).has(nodeId)) continue;
      this.#known.delete(edge);
      this.#unsettled.delete(edge);
      targets.push(edge.targetNodeId);
    }
    return targets;
  }

  /** Of a node that is visited more than once, an outcome is that of its last visit. */
  #forgetTurn(nodeId: string): void {
    for (const edge of this.#plan.outgoing(nodeId)) {
      this.#known.delete(edge);
      this.#unsettled.delete(edge);
    }
  }

  #conditional(edge: WorkflowEdge, state: WorkflowRunState): EvaluatedEdge {
    const known = this.#known.get(edge);
    if (known) return known;
    const visible = () => [edge.sourceNodeId, ...this.#plan.upstream(edge.sourceNodeId).ids()];
    const holds = conditionHolds(edge, scopeOf(state, visible));
    const outcome = !holds.ok ? 'broken' : holds.value ? 'success' : 'skipped';
    this.#known.set(edge, outcome);
    if (looksBeyondItsSource(edge)) this.#unsettled.add(edge);
    return outcome;
  }
}

/** Whether other nodes' outputs may be a part of a condition: only their names could say so. */
function looksBeyondItsSource({ condition }: WorkflowEdge): boolean {
  return /"connection"|nodes/.test(JSON.stringify(condition));
}
