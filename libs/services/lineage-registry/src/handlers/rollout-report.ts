import type { RolloutReport, RolloutReportQuery } from '@palimpsest/contracts/registry';
import { promotionOf } from '../domain/rollout/promote.js';
import { neverLeftOff } from '../domain/rollout/rollout.js';
import { viewOf } from '../domain/rollout/rollout-view.js';
import type { RolloutStore } from '../store/rollout-store.js';
import type { TelemetryStore } from '../store/telemetry-store.js';

const MOST_HISTORY = 50;

export type ReportPorts = {
  readonly rollouts: RolloutStore;
  readonly telemetry: Pick<TelemetryStore, 'observed'>;
};

/**
 * A family that nobody knows never left `off`. What was observed is of the whole environment, by mode, as usage and ends of
 * work name no family; from the family's last change on, or from the beginning where it never left `off`.
 */
export async function reportOf(
  { rollouts, telemetry }: ReportPorts,
  { tenantId, environment, family }: RolloutReportQuery,
): Promise<RolloutReport> {
  const place = { tenantId, environment, family };
  const [families, [promotion], changes] = await Promise.all([
    rollouts.families(tenantId, environment),
    rollouts.lastEvents({ ...place, type: 'palimpsest.rollout.promotion_evaluated', limit: 1 }),
    rollouts.lastEvents({ ...place, type: 'palimpsest.rollout.stage_changed', limit: MOST_HISTORY }),
  ]);
  const reading = families.find(({ rollout }) => rollout.family === family);
  const rollout = reading?.rollout ?? neverLeftOff(family);
  const observed = await telemetry.observed(tenantId, environment, rollout.since);
  return {
    rollout: viewOf(rollout, reading?.isActive ?? false),
    environment,
    promotion: promotion ? promotionOf(environment, promotion) : null,
    observed: [...observed],
    history: changes.map(({ sequence, recordedAt, payload: { to, by } }) => ({
      sequence,
      changedAt: recordedAt,
      ...to,
      by,
    })),
  };
}
