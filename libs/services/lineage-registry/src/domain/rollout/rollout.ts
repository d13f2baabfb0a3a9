import type { Candidate, RolloutStage } from '@palimpsest/contracts/registry';

/** A place on the ladder; a percentage with `canary` only. */
export type Rung = { readonly stage: RolloutStage; readonly canaryPercent: number | null };

/** A family of interventions as it stands in an environment. */
export type FamilyRollout = Rung & {
  readonly family: string;
  /** Grows with each change; 0 for one that never left `off`. */
  readonly version: number;
  /** From the change that leaves `off` until the one that returns there. */
  readonly candidate: Candidate | null;
  /** Of the last change, ISO 8601 with milliseconds. */
  readonly since: string | null;
};

/** A family's place as it is recorded. Version 0 and `off` where it never left that. */
export type RolloutStanding = Rung & {
  readonly environment: string;
  readonly family: string;
  readonly version: number;
};

export type EnvironmentRollouts = {
  readonly environment: string;
  /** Of the environment's last event; −1 where there is none. */
  readonly sequence: number;
  readonly families: ReadonlyMap<string, FamilyRollout>;
};

/** From the lowest rung to the highest (contract §8). */
export const LADDER: readonly Rung[] = [
  { stage: 'off', canaryPercent: null },
  { stage: 'observe', canaryPercent: null },
  { stage: 'shadow', canaryPercent: null },
  { stage: 'canary', canaryPercent: 10 },
  { stage: 'canary', canaryPercent: 25 },
  { stage: 'canary', canaryPercent: 50 },
  { stage: 'on', canaryPercent: null },
];

/** Its place on the ladder; −1 where it is none of its rungs. */
export function heightOf({ stage, canaryPercent }: Rung): number {
  return LADDER.findIndex((rung) => rung.stage === stage && rung.canaryPercent === canaryPercent);
}

/** The highest rung that an operator moves a family up to; above it a promotion does. */
export const HIGHEST_WITHOUT_PROMOTION = heightOf({ stage: 'shadow', canaryPercent: null });

/** Families of an environment that ever left `off`: all are told in one answer, and none is forgotten. */
export const MOST_FAMILIES = 100;

/** Under way is what is neither `off` nor `on`: an effect that is measured, or will be. */
export function isUnderWay({ stage }: Rung): boolean {
  return stage !== 'off' && stage !== 'on';
}

export function noRollouts(environment: string): EnvironmentRollouts {
  return { environment, sequence: -1, families: new Map() };
}

export function familyOf({ families }: EnvironmentRollouts, family: string): FamilyRollout {
  return families.get(family) ?? neverLeftOff(family);
}

export function neverLeftOff(family: string): FamilyRollout {
  return { family, version: 0, stage: 'off', canaryPercent: null, candidate: null, since: null };
}

export function rungOf({ stage, canaryPercent }: Rung): Rung {
  return { stage, canaryPercent };
}
