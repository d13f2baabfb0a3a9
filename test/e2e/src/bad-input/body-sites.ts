import { exampleOf } from './example-value.js';
import { accepts, isFields, type JsonSchema } from './json-schema.js';
import { valueAt, withValue, type Path } from './json-text.js';

/** A place in a body that its schema describes, and a body in which that place is there. */
export type Site = { readonly path: Path; readonly schema: JsonSchema; readonly body: unknown };

/** Key of a record's member that no schema names. */
export const SURPRISE = 'surprise';

/** Every place that a schema describes, at any depth, in each of its alternatives. */
export function sitesOf(schema: JsonSchema, body: unknown, path: Path = []): readonly Site[] {
  return [
    { path, schema, body },
    ...alternativesOf(schema).flatMap((branch) => sitesOf(branch, bodyFor(branch, body, path), path)),
    ...(schema.allOf ?? []).flatMap((part) => sitesOf(part, body, path)),
    ...memberSites(schema, body, path),
    ...itemSites(schema, body, path),
  ];
}

export function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
}

function bodyFor(schema: JsonSchema, body: unknown, path: Path): unknown {
  return accepts(schema, valueAt(body, path)) ? body : withValue(body, path, exampleOf(schema));
}

function memberSites(schema: JsonSchema, body: unknown, path: Path): readonly Site[] {
  const others = isFields(schema.additionalProperties) ? { [SURPRISE]: schema.additionalProperties } : {};
  return Object.entries({ ...schema.properties, ...others }).flatMap(([name, member]) => {
    const place = [...path, name];
    return sitesOf(member, bodyFor(member, body, place), place);
  });
}

function itemSites({ items }: JsonSchema, body: unknown, path: Path): readonly Site[] {
  if (items === undefined) return [];
  const place = [...path, 0];
  return sitesOf(items, bodyFor(items, body, place), place);
}
