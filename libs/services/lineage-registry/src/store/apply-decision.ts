import type { JsonObject } from '@palimpsest/contracts';
import { storableJson } from '@palimpsest/kernel';
import { evolve } from '../domain/workgroup/evolve.js';
import type { Lineage, Workgroup } from '../domain/workgroup/workgroup.js';
import type { RecordedWorkgroupEvent, WorkgroupEvent } from '../domain/workgroup/workgroup-events.js';

export type StorableWorkgroupEvent = {
  readonly event: RecordedWorkgroupEvent;
  readonly payloadJson: string;
};

/** What a decision's events make of a workgroup. */
export type AppliedDecision = {
  readonly after: Workgroup;
  readonly events: readonly StorableWorkgroupEvent[];
  /** Lineages that were not in the state before. */
  readonly added: readonly Lineage[];
  /** Lineages that were, and are other than before. */
  readonly changed: readonly Lineage[];
};

/** Events at their places, at one time for all; `ValidationError` where one holds what no store keeps. */
export function applyDecision(
  before: Workgroup,
  events: readonly WorkgroupEvent[],
  recordedAt: string,
): AppliedDecision {
  const recorded = events.map((event, place) => ({
    ...event,
    sequence: before.sequence + 1 + place,
    recordedAt,
  }));
  const after = recorded.reduce((state, event) => evolve(state, event), before);
  const others = [...after.lineages.values()].filter(
    (lineage) => before.lineages.get(lineage.lineageId) !== lineage,
  );
  return {
    after,
    events: recorded.map(storableEvent),
    added: others.filter(({ lineageId }) => !before.lineages.has(lineageId)),
    changed: others.filter(({ lineageId }) => before.lineages.has(lineageId)),
  };
}

function storableEvent(event: RecordedWorkgroupEvent): StorableWorkgroupEvent {
  const payload = event.payload as unknown as JsonObject;
  return { event, payloadJson: storableJson(payload, `${event.type}.payload`) };
}
