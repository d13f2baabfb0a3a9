import type { JsonObject, NewRunEvent } from '@palimpsest/contracts';
import { runKindOf, standingAfter, type Standing } from '../domain/run-kind.js';

/** What the row of a run says that has these events and no others, all of one time, as whoever wrote them would have it. */
export function standingOf(
  workflowId: string,
  events: readonly NewRunEvent[],
  { at, before = {} }: { readonly at: Date; readonly before?: JsonObject },
): Standing {
  const placed = events.map((event, sequence) => ({ ...event, sequence }));
  return standingAfter(runKindOf(workflowId), before, { events: placed, timestamp: at.toISOString() });
}
