import {
  RUN_CANCELLED,
  RUN_CANCELLING,
  type CancelRun,
  type NewRunEvent,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { runEvent } from '../engine/new-events.js';
import { cancelledNode, isOpen } from '../engine/open-nodes.js';
import { hasChildren } from '../loop/children.js';
import { nodeStateOf } from '../fold/node-state-of.js';

/** An append takes 500 events. */
const MOST_NODES = 300;

/**
 * Nothing on a run that has ended or is being cancelled. Otherwise its nodes are cancelled; and the run itself, unless
 * children have to end first, or it has more open nodes than one append takes: then the rest is left to the orchestrator
 * (host specification §3.4).
 */
export function cancelRun(command: CancelRun, state: WorkflowRunState): readonly NewRunEvent[] {
  if (state.ended || state.cancelling) return [];
  const why = reasonOf(command);
  const open = Object.keys(state.nodes).filter((id) => isOpen(nodeStateOf(state, id)));
  const isLater = open.length > MOST_NODES || hasChildren(state);
  if (isLater && open.length === 0) return [runEvent(RUN_CANCELLING, why)];
  const cancelled = open
    .sort()
    .slice(0, MOST_NODES)
    .map((id, place) =>
      cancelledNode(id, 'run-cancelled', isLater && place === 0 ? { cancelling: why } : {}),
    );
  return isLater ? cancelled : [...cancelled, runEvent(RUN_CANCELLED, why)];
}

function reasonOf({
  reason,
  cancelledBy,
  parentRunId,
}: CancelRun): NonNullable<WorkflowRunState['cancelling']> {
  const by = cancelledBy === undefined ? {} : { cancelledBy };
  if (parentRunId !== undefined) return { ...by, reason: 'parent-cancelled', parentRunId };
  return { ...by, ...(reason !== undefined && { reason }) };
}
