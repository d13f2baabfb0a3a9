import {
  CAP_BREACHED,
  NODE_STARTED,
  type AgentRef,
  type NewRunEvent,
  type WorkflowNode,
} from '@palimpsest/contracts';
import { breachOfTurns } from '../loop/loop-bounds.js';
import { caused } from '../loop/loop-node-events.js';
import { DISPATCH, SUPERVISOR } from '../loop/loop-types.js';
import { agentOf } from '../loop/supervisor-config.js';
import type { Moment } from './moment.js';
import { nodeEvent } from './new-events.js';
import { outcomeOf } from './node-outcome.js';
import type { RunParts } from './node-work.js';

/** `node.started`; or `cap.breached` where the run has started as many nodes, or taken as many turns, as it may (host specification §5.7). */
export function startedNode(node: WorkflowNode, attempt: number, run: Moment): NewRunEvent {
  const { nodeExecutions, bounds, loop } = run.state;
  const limit = bounds.maxNodeExecutions;
  if (nodeExecutions + 1 > limit) {
    return nodeEvent(CAP_BREACHED, node.id, { kind: 'node-executions', limit, observed: limit + 1 });
  }
  const breach = breachOfTurns(node, run.state);
  if (breach) return breach;
  const payload = { typeId: node.typeId, attempt, ...delayOf(node, run), ...deciderOf(node) };
  const started = nodeEvent(NODE_STARTED, node.id, payload);
  const decision = node.typeId === DISPATCH ? loop?.current : undefined;
  return decision ? caused(started, run.runId, decision.sequence) : started;
}

/** Who decides is recorded with the first visit, so that it is known from then on. */
function deciderOf(node: WorkflowNode): { readonly agent?: AgentRef } {
  return node.typeId === SUPERVISOR ? { agent: agentOf(node) } : {};
}

/** A delay's length is recorded with its start: what it is made of may change while the node waits. */
function delayOf(node: WorkflowNode, run: RunParts): { readonly delayMs?: number } {
  if (node.typeId !== 'core.delay') return {};
  const outcome = outcomeOf(node, run);
  return outcome.kind === 'sleep' ? { delayMs: outcome.delayMs } : {};
}
