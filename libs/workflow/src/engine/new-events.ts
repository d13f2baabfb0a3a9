import type { JsonObject, NewRunEvent } from '@palimpsest/contracts';

/** Of a node: its payload names it, and so does its envelope. */
export function nodeEvent(type: string, nodeId: string, payload: object, causationId?: string): NewRunEvent {
  const event = { type, nodeId, payload: { nodeId, ...payload } as JsonObject, schemaVersion: 1 };
  return causationId === undefined ? event : { ...event, causationId };
}

export function runEvent(type: string, payload: object): NewRunEvent {
  return { type, payload: payload as JsonObject, schemaVersion: 1 };
}
