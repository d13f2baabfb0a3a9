import {
  APPROVAL_RECEIVED,
  CLARIFICATION_RESOLVED,
  eventIdOf,
  NODE_RESUMED,
  type JsonObject,
  type JsonValue,
  type NewRunEvent,
  type OpenInterrupt,
} from '@palimpsest/contracts';
import { nodeEvent } from '../engine/new-events.js';

export type GivenAnswer = { readonly value: JsonValue; readonly resolvedBy?: string | undefined };

/** The event of an interrupt's kind after `interrupt.resolved`; undefined for kinds that have none. */
export function toldEvent(
  nodeId: string,
  { kind }: OpenInterrupt,
  { value, resolvedBy }: GivenAnswer,
): NewRunEvent | undefined {
  if (kind === 'approval') {
    const decidedBy = resolvedBy === undefined ? {} : { decidedBy: resolvedBy };
    return nodeEvent(APPROVAL_RECEIVED, nodeId, { ...(value as JsonObject), ...decidedBy });
  }
  if (kind === 'clarification') return nodeEvent(CLARIFICATION_RESOLVED, nodeId, { answers: value });
  return undefined;
}

/** `resolved`: sequence of `interrupt.resolved`, which it names as its cause. */
export function resumedEvent(
  nodeId: string,
  { interruptId }: OpenInterrupt,
  { value, cause }: { readonly value: JsonValue; readonly cause: { runId: string; sequence: number } },
): NewRunEvent {
  const causationId = eventIdOf(cause.runId, cause.sequence);
  return nodeEvent(NODE_RESUMED, nodeId, { interruptId, resumeValue: value }, causationId);
}
