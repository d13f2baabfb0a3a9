import {
  ContextRefusal,
  recordEvent,
  type EfficiencyEvent,
  type Facts,
} from '@palimpsest/context-efficiency';
import type { RecordTelemetry } from '@palimpsest/contracts/registry';
import { ContextRefusedError } from '@palimpsest/kernel';

type Entry = { readonly id: string; readonly event: EfficiencyEvent };

/**
 * A batch as it may be recorded: each event is canonical (contract §7.2) and holds nothing private. The door made them
 * so; this looks again, as what is recorded here stays. @throws ContextRefusedError for the first that is not
 */
export function canonicalEntries(events: RecordTelemetry['events']): readonly Entry[] {
  return events.map(({ id, event }, index) => {
    const canonical = canonicalOf(event, index);
    if (!isSame(canonical, event))
      throw new ContextRefusedError(new ContextRefusal('EFFICIENCY_EVENT_INVALID'), index);
    return { id, event: canonical };
  });
}

function canonicalOf(event: Facts, index: number): EfficiencyEvent {
  try {
    return recordEvent({ event });
  } catch (error) {
    if (error instanceof ContextRefusal) throw new ContextRefusedError(error, index);
    throw error;
  }
}

/** Goes no deeper than the canonical event does, however deep the other is. */
function isSame(canonical: unknown, other: unknown): boolean {
  if (typeof canonical !== 'object' || canonical === null) return canonical === other;
  if (typeof other !== 'object' || other === null || Array.isArray(canonical) !== Array.isArray(other))
    return false;
  const members = Object.entries(canonical);
  return (
    members.length === Object.keys(other).length &&
    members.every(([name, value]) => Object.hasOwn(other, name) && isSame(value, (other as Facts)[name]))
  );
}
