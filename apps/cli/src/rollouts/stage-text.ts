import type { RolloutStage } from '../client/registry-api.js';

/** `shadow`, `canary 10 %` */
export function stageText(at: {
  readonly stage: RolloutStage;
  readonly canaryPercent: number | null;
}): string {
  return at.canaryPercent === null ? at.stage : `${at.stage} ${at.canaryPercent} %`;
}
