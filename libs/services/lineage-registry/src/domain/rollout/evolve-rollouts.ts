import type { EnvironmentRollouts } from './rollout.js';
import type { RecordedRolloutEvent, RolloutEvent } from './rollout-events.js';

/** The environment's rollouts after one more event. A family that it does not concern keeps its identity. */
export function evolveRollouts(
  rollouts: EnvironmentRollouts,
  event: RecordedRolloutEvent,
): EnvironmentRollouts {
  const { sequence, recordedAt: since } = event;
  switch (event.type) {
    case 'palimpsest.rollout.promotion_evaluated':
      return { ...rollouts, sequence };
    case 'palimpsest.rollout.stage_changed': {
      const { family, version, to, candidate } = event.payload;
      const changed = { family, version, ...to, candidate, since };
      return { ...rollouts, sequence, families: new Map(rollouts.families).set(family, changed) };
    }
  }
}

/** A decision's events at their places, and what they make of the state. */
export function appliedRollouts(
  before: EnvironmentRollouts,
  events: readonly RolloutEvent[],
  recordedAt: string,
): { readonly rollouts: EnvironmentRollouts; readonly events: readonly RecordedRolloutEvent[] } {
  const recorded = events.map((event, place) => ({
    ...event,
    sequence: before.sequence + 1 + place,
    recordedAt,
  }));
  return { rollouts: recorded.reduce(evolveRollouts, before), events: recorded };
}
