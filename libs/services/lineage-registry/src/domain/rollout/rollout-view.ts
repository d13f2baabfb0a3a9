import type { RolloutView } from '@palimpsest/contracts/registry';
import type { FamilyRollout } from './rollout.js';

export function viewOf(rollout: FamilyRollout, active: boolean): RolloutView {
  const { family, version, stage, canaryPercent, candidate, since } = rollout;
  return { family, version, stage, canaryPercent, candidate, since, active };
}
