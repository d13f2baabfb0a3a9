import {
  INTERRUPT_RESOLVED,
  type JsonValue,
  type NewRunEvent,
  type OpenInterrupt,
  type ResolveInterrupt,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { PayloadTooLargeError } from '@palimpsest/kernel';
import { ANSWER_BYTES } from '../engine/engine-limits.js';
import { jsonBytes } from '../engine/json-size.js';
import { nodeEvent } from '../engine/new-events.js';
import { nodeStateOf } from '../fold/node-state-of.js';
import { openInterruptOf } from '../fold/waiting-node.js';
import { resumedEvent, toldEvent } from '../interrupts/answer-events.js';
import {
  InterruptAlreadyResolvedError,
  InterruptCancelledError,
  InterruptNotFoundError,
} from '../interrupts/interrupt-errors.js';
import { normalisedAnswer } from '../interrupts/normalised-answer.js';

/**
 * `interrupt.resolved`, the event of its kind, `node.resumed`; or the refusal of host specification §3.5: not found,
 * already resolved, cancelled, a ValidationError, or a CorrelationMismatchError, after each of which it goes on waiting.
 */
export function resolveInterrupt(command: ResolveInterrupt, state: WorkflowRunState): readonly NewRunEvent[] {
  const { runId, nodeId, decidedBy } = command;
  const interrupt = answerable(command, state);
  const value = answerOf(command, interrupt);
  const { interruptId, kind } = interrupt;
  const payload = { interruptId, kind, resumeValue: value, resolvedBy: decidedBy };
  const told = toldEvent(nodeId, interrupt, { value, resolvedBy: decidedBy });
  const cause = { runId, sequence: state.lastSequence + 1 };
  return [
    nodeEvent(INTERRUPT_RESOLVED, nodeId, payload),
    ...(told ? [told] : []),
    resumedEvent(nodeId, interrupt, { value, cause }),
  ];
}

function answerable({ nodeId, interruptId }: ResolveInterrupt, state: WorkflowRunState): OpenInterrupt {
  const node = nodeStateOf(state, nodeId);
  if (!node || node.suspensions === 0) throw new InterruptNotFoundError(nodeId);
  const isCancelled = node.status === 'cancelled' && node.reason === 'run-cancelled';
  if (isCancelled || state.cancelling) throw new InterruptCancelledError(nodeId);
  const open = openInterruptOf(node);
  if (
    !open ||
    state.ended ||
    state.failing ||
    (interruptId !== undefined && interruptId !== open.interruptId)
  ) {
    throw new InterruptAlreadyResolvedError(nodeId);
  }
  return open;
}

function answerOf({ nodeId, resumeValue }: ResolveInterrupt, interrupt: OpenInterrupt): JsonValue {
  const bytes = jsonBytes(resumeValue);
  if (bytes > ANSWER_BYTES) throw new PayloadTooLargeError(bytes, ANSWER_BYTES, 'The answer');
  return normalisedAnswer(nodeId, interrupt, resumeValue);
}
