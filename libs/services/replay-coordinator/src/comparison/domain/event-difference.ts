import { placeOfEventId, type DivergingPart, type JsonValue, type RunEvent } from '@palimpsest/contracts';
import { canonicalStored } from '@palimpsest/kernel';

/** Ids of the runs that a run's own events may name: its own and those of its ancestors. */
export type OwnIds = ReadonlySet<string>;

export type EventOf = {
  readonly event: Pick<RunEvent, 'type' | 'payload' | 'schemaVersion' | 'nodeId' | 'causationId'>;
  readonly ids: OwnIds;
};

/**
 * In what two events differ, the first of type, node, version, payload and cause. Ids and times of the envelope do not
 * count, and an event or run of one's own that is named anywhere counts as its place, not as its id: two branches that do
 * the same name other events for it.
 */
export function divergingPart(one: EventOf, other: EventOf): DivergingPart | undefined {
  const [a, b] = [one.event, other.event];
  if (a.type !== b.type) return 'type';
  if (a.nodeId !== b.nodeId) return 'nodeId';
  if (a.schemaVersion !== b.schemaVersion) return 'schemaVersion';
  if (!equalPayloads(one, other)) return 'payload';
  return causeOf(one) === causeOf(other) ? undefined : 'causation';
}

/** Most are equal as they stand; only the others are looked at closely. */
function equalPayloads(one: EventOf, other: EventOf): boolean {
  if (JSON.stringify(one.event.payload) === JSON.stringify(other.event.payload)) return true;
  return payloadText(one) === payloadText(other);
}

function payloadText({ event, ids }: EventOf): string {
  return canonicalStored(withPlaces(event.payload, ids));
}

function causeOf({ event, ids }: EventOf): string | undefined {
  return event.causationId === undefined ? undefined : placeText(event.causationId, ids);
}

function withPlaces(value: JsonValue, ids: OwnIds): JsonValue {
  if (typeof value === 'string') return placeText(value, ids);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => withPlaces(item, ids));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withPlaces(member, ids)]));
}

/** NUL cannot be in a recorded text, so no other text reads like these. */
function placeText(text: string, ids: OwnIds): string {
  if (ids.has(text)) return '\u0000run';
  const place = placeOfEventId(text);
  return place && ids.has(place.runId) ? `\u0000event ${place.sequence}` : text;
}
