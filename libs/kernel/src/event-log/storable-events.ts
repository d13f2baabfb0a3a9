import { isStorableText, type JsonObject, type NewRunEvent } from '@palimpsest/contracts';
import { ValidationError } from '../errors/known-errors.js';
import type { AppendRequest } from '../ports/event-log.js';
import { contentHashOf, type ChainHash } from './chain.js';

/** An event that any log can keep, the JSON text of its payload, and the hash of what it says at its place. */
export type StorableEvent = {
  readonly event: NewRunEvent;
  readonly payloadJson: string;
  readonly contentHash: string;
};

/**
 * In JSON text a lone surrogate is always escaped (a pair never is) and so is NUL; an even number of
 * backslashes before the `u` makes it the literal spelling, which is fine.
 */
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** JSON text of an object, or a `ValidationError` where it holds what no store keeps: NUL or a lone surrogate. */
export function storableJson(value: JsonObject, field: string): string {
  const text = JSON.stringify(value);
  if (text.includes('\\u') && UNSTORABLE_ESCAPE.test(text)) throw unstorable(field);
  return text;
}

/** The rules of an append that do not depend on what is in the log. */
export function storableEvents(hash: ChainHash, request: AppendRequest): readonly StorableEvent[] {
  const { expectedHead, workflowId, commandId, events } = request;
  if (events.length === 0)
    throw new ValidationError('An append holds at least one event.', { field: 'events' });
  if (expectedHead === 'no-run' && workflowId === undefined)
    throw new ValidationError('A new run needs its workflow.', { field: 'workflowId' });
  if (expectedHead !== 'no-run' && !(Number.isSafeInteger(expectedHead) && expectedHead >= -1))
    throw new ValidationError('An expected head is a sequence, or −1.', { field: 'expectedHead' });
  checkText(workflowId, 'workflowId');
  checkText(commandId, 'commandId');
  const payloads = events.map(storablePayload);
  const first = expectedHead === 'no-run' ? 0 : expectedHead + 1;
  return events.map((event, place) => ({
    event,
    payloadJson: payloads[place] ?? '',
    contentHash: contentHashOf(hash, { ...event, sequence: first + place }),
  }));
}

function storablePayload(event: NewRunEvent, place: number): string {
  const field = `events.${place}`;
  checkText(event.type, `${field}.type`);
  checkText(event.nodeId, `${field}.nodeId`);
  checkText(event.causationId, `${field}.causationId`);
  return storableJson(event.payload, `${field}.payload`);
}

function checkText(text: string | undefined, field: string): void {
  if (text !== undefined && !isStorableText(text)) throw unstorable(field);
}

function unstorable(field: string): ValidationError {
  return new ValidationError('Text must be well-formed Unicode without NUL.', { field });
}
