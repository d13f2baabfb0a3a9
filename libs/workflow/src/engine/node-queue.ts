import type { WorkflowNode } from '@palimpsest/contracts';
import type { RunPlan } from './run-plan.js';

/**
 * Nodes to look at, in the order of the definition. One that had nothing to do is left out until something happens that it
 * depends on.
 */
export class NodeQueue {
  readonly #plan: RunPlan;
  readonly #quiet: Uint8Array;
  #from = 0;

  constructor(plan: RunPlan) {
    this.#plan = plan;
    this.#quiet = new Uint8Array(plan.nodes.length);
  }

  /** The first node for which there is something; nodes for which there is nothing are left out from now on. */
  first<Found>(look: (node: WorkflowNode) => Found | undefined): Found | undefined {
    const { nodes } = this.#plan;
    for (; this.#from < nodes.length; this.#from += 1) {
      const node = nodes[this.#from];
      const found = !node || this.#quiet[this.#from] === 1 ? undefined : look(node);
      if (found !== undefined) return found;
      this.#quiet[this.#from] = 1;
    }
    return undefined;
  }

  /** Something happened to this node: it and those that come after it. */
  wake(nodeId: string): void {
    this.#wakeOne(nodeId);
    for (const { targetNodeId } of this.#plan.outgoing(nodeId)) this.#wakeOne(targetNodeId);
  }

  wakeAll(nodeIds: readonly string[]): void {
    for (const nodeId of nodeIds) this.#wakeOne(nodeId);
  }

  #wakeOne(nodeId: string): void {
    const place = this.#plan.place(nodeId);
    if (place === undefined) return;
    this.#quiet[place] = 0;
    this.#from = Math.min(this.#from, place);
  }
}
