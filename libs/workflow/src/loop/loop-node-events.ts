import {
  eventIdOf,
  WORKFLOW_CHAIN_EVENT,
  type JsonObject,
  type NewRunEvent,
  type WorkflowChainEvent,
  type WorkflowNode,
} from '@palimpsest/contracts';
import { clarificationSchema } from '../interrupts/clarification-answer.js';
import type { Suspension } from '../node-types/node-type.js';

/** Payloads that are closed: the node stands on the envelope alone. */
export function closedEvent(type: string, { id }: WorkflowNode, payload: object): NewRunEvent {
  return { type, nodeId: id, payload: payload as JsonObject, schemaVersion: 1 };
}

/** `causedBy`: a place in the log of the run `runId`, which payloads may know by another name. */
export function chainEvent(
  node: WorkflowNode,
  payload: WorkflowChainEvent,
  { runId, causedBy }: { readonly runId: string; readonly causedBy: number },
): NewRunEvent {
  return caused(closedEvent(WORKFLOW_CHAIN_EVENT, node, payload), runId, causedBy);
}

/** With the event of that place in the run's own log as its cause. */
export function caused(event: NewRunEvent, runId: string, sequence: number): NewRunEvent {
  return { ...event, causationId: eventIdOf(runId, sequence) };
}

/** A decision to ask becomes one question. */
export function questionOf(prompt: string): Suspension {
  const questions = [{ id: 'answer', question: prompt }];
  return { kind: 'clarification', data: { questions }, resumeSchema: clarificationSchema(questions) };
}
