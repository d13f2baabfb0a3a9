import { artifactIdSchema, type JsonValue, type RecordedEvent } from '@palimpsest/contracts';

/** Ids of all artifacts that events name, in the order of the ids. An id is known by its form, wherever it stands. */
export function namedArtifacts(events: Iterable<Pick<RecordedEvent, 'payload'>>): readonly string[] {
  const ids = new Set<string>();
  for (const { payload } of events) collect(payload, ids);
  return [...ids].sort();
}

function collect(value: JsonValue, ids: Set<string>): void {
  if (typeof value === 'string') {
    if (value.startsWith('art_') && artifactIdSchema.safeParse(value).success) ids.add(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values<JsonValue>(value)) collect(member, ids);
  }
}
