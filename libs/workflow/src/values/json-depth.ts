import type { JsonValue } from '@palimpsest/contracts';

/** Levels of what others may give us to record: readers follow them, and canonical JSON takes 64. */
const MOST_LEVELS = 48;

/** Whether a value has a nesting that everything can follow. Looks no deeper than that itself. */
export function isShallow(value: JsonValue, levels = MOST_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values<JsonValue>(value).every((member) => isShallow(member, levels - 1));
}
