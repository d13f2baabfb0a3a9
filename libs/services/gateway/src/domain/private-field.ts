import { z } from 'zod';
import { holdsPrivateValue, LINEAGE_FIELDS } from '@palimpsest/context-efficiency';
import * as registry from '@palimpsest/contracts/registry';

/** What a path names at most: nobody nests the API's own names deeper. */
const MOST_NAMES = 6;

/** Names that a request of the API may have, and a lineage's record. A name besides is its sender's, and told to nobody. */
const NAMES: ReadonlySet<string> = new Set([
  ...Object.values(registry).flatMap((each) => (each instanceof z.ZodObject ? Object.keys(each.shape) : [])),
  ...['event', 'events', 'id', 'delta', 'previousDeltas', 'pairs', 'thresholds', 'measurementEnvelope'],
  ...LINEAGE_FIELDS,
]);

/** What stands in a body: a member, or an item of a list; `judged` has the member's name, which says how a text is looked at. */
type Place = {
  readonly name: string;
  readonly under: string;
  readonly value: unknown;
  readonly judged: unknown;
};

/**
 * Where in a body a private value stands, as far as the path is of the API's own names and of places in lists:
 * `record.scope`, `ownedFiles.2`; undefined where none of them leads there.
 */
export function privateField(body: unknown): string | undefined {
  const path: string[] = [];
  let place = privateIn(body, '');
  while (place !== undefined) {
    path.push(place.name);
    place = path.length < MOST_NAMES ? privateIn(place.value, place.under) : undefined;
  }
  return path.length === 0 ? undefined : path.join('.');
}

function privateIn(value: unknown, under: string): Place | undefined {
  return placesIn(value, under).find(({ judged }) => holdsPrivateValue(judged));
}

function placesIn(value: unknown, under: string): readonly Place[] {
  if (Array.isArray(value))
    return value.map((item: unknown, index) => ({
      name: String(index),
      under,
      value: item,
      judged: { [under]: [item] },
    }));
  if (typeof value !== 'object' || value === null) return [];
  const known = Object.entries(value as Readonly<Record<string, unknown>>).filter(([name]) =>
    NAMES.has(name),
  );
  return known.map(([name, member]) => ({ name, under: name, value: member, judged: { [name]: member } }));
}
