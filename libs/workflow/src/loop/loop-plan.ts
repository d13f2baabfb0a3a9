import type { WorkflowDefinition, WorkflowEdge } from '@palimpsest/contracts';
import { DISPATCH, SUPERVISOR } from './loop-types.js';

/** A definition's supervisor and dispatch, and how edges join them. A workflow has one of each at most. */
export type LoopPlan = {
  readonly supervisorId?: string;
  readonly dispatchId?: string;
  /** An edge leads from the supervisor to the dispatch. */
  readonly isLinked: boolean;
  /** And one leads back, so that turns follow each other. */
  readonly isLooping: boolean;
  /** True for the supervisor and the dispatch. */
  has(nodeId: string): boolean;
  /** From the dispatch back to its supervisor: it does not have to be there for the first turn. */
  isLoopback(edge: WorkflowEdge): boolean;
  /** From the loop to a node that waits for the loop's end. */
  isLeaving(edge: WorkflowEdge): boolean;
};

type Nodes = Pick<WorkflowDefinition, 'nodes' | 'edges'>;

export function loopPlanOf({ nodes, edges }: Nodes): LoopPlan {
  const supervisorId = nodes.find(({ typeId }) => typeId === SUPERVISOR)?.id;
  const dispatchId = nodes.find(({ typeId }) => typeId === DISPATCH)?.id;
  const leads = (from?: string, to?: string) =>
    from !== undefined &&
    to !== undefined &&
    edges.some(({ sourceNodeId, targetNodeId }) => sourceNodeId === from && targetNodeId === to);
  const isLinked = leads(supervisorId, dispatchId);
  const isLooping = isLinked && leads(dispatchId, supervisorId);
  const has = (nodeId: string) => nodeId === supervisorId || nodeId === dispatchId;
  return {
    ...(supervisorId !== undefined && { supervisorId }),
    ...(dispatchId !== undefined && { dispatchId }),
    isLinked,
    isLooping,
    has,
    isLoopback: ({ sourceNodeId, targetNodeId }) =>
      isLooping && sourceNodeId === dispatchId && targetNodeId === supervisorId,
    isLeaving: ({ sourceNodeId, targetNodeId }) => isLooping && has(sourceNodeId) && !has(targetNodeId),
  };
}
