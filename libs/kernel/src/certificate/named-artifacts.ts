import {
  artifactIdSchema,
  CONTEXT_SUMMARIZED,
  INSTRUCTION_ADDED,
  MESSAGE_APPENDED,
  PIN_ADDED,
  WINDOW_PLANNED,
  WORKER_RETURNED,
  type JsonObject,
  type JsonValue,
  type RecordedEvent,
} from '@palimpsest/contracts';

/** Where the events that refer to content name it. What looks like an id in the words of others is none. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  [INSTRUCTION_ADDED]: ['artifactId'],
  [MESSAGE_APPENDED]: ['artifactId'],
  [PIN_ADDED]: ['artifactId'],
  [WORKER_RETURNED]: ['artifactId'],
  [CONTEXT_SUMMARIZED]: ['summaryRef'],
  [WINDOW_PLANNED]: ['cuts', 'turns', 'pins'],
};

/** Ids of the artifacts that an event names, in its order. Takes payloads of any shape: they may have been altered. */
export function artifactsNamedBy({
  type,
  payload,
}: Pick<RecordedEvent, 'type' | 'payload'>): readonly string[] {
  const members = Object.hasOwn(MEMBERS, type) ? (MEMBERS[type] ?? []) : [];
  return members
    .flatMap((member) => namedBy(payload[member]))
    .filter((id) => artifactIdSchema.safeParse(id).success);
}

function namedBy(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.flatMap((item: JsonValue) => idOf(item)) : [];
}

function idOf(item: JsonValue): string[] {
  const id = typeof item === 'object' && item !== null ? (item as JsonObject)['artifactId'] : undefined;
  return typeof id === 'string' ? [id] : [];
}
