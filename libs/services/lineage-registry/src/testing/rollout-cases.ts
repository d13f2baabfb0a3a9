import { envelope, pairs, TRUSTED_KEYS } from '@palimpsest/context-efficiency/testing';
import type { JsonObject } from '@palimpsest/contracts';
import type { Candidate } from '@palimpsest/contracts/registry';
import {
  heightOf,
  LADDER,
  noRollouts,
  type EnvironmentRollouts,
  type FamilyRollout,
} from '../domain/rollout/rollout.js';
import type { RolloutMoment } from '../domain/rollout/rollout-events.js';

/** What the envelopes of {@link evidence} were measured with. */
export const CANDIDATE: Candidate = {
  candidateVersion: '1.4.0+b7',
  corpusVersion: 'corpus-3',
  runtimeDigest: `sha256:${'7'.repeat(64)}`,
};

export const EVIDENCE_ID = `art_${'e'.repeat(22)}`;
export { TRUSTED_KEYS };

/** Names of rungs, from the lowest. */
export const RUNGS = ['off', 'observe', 'shadow', '10', '25', '50', 'on'] as const;
export type RungName = (typeof RUNGS)[number];

/** The rung of a name, as a command has it. */
export function rung(name: RungName) {
  const { stage, canaryPercent } = LADDER[RUNGS.indexOf(name)] ?? { stage: 'off', canaryPercent: null };
  return { stage, ...(canaryPercent !== null && { canaryPercent }) };
}

export function nameOf(place: Pick<FamilyRollout, 'stage' | 'canaryPercent'>): RungName | undefined {
  return RUNGS[heightOf(place)];
}

export const SINCE = '2031-03-01T00:00:00.000Z';

/** A family at a rung, as changes up to there left it: a version for each. */
export function standing(family: string, name: RungName): FamilyRollout {
  const { stage, canaryPercent = null } = rung(name);
  const version = RUNGS.indexOf(name) + 1;
  return {
    family,
    version,
    stage,
    canaryPercent,
    candidate: stage === 'off' ? null : CANDIDATE,
    since: SINCE,
  };
}

/** An environment in which twelve events happened. */
export function environmentOf(...families: readonly FamilyRollout[]): EnvironmentRollouts {
  return {
    ...noRollouts('staging'),
    sequence: 11,
    families: new Map(families.map((family) => [family.family, family])),
  };
}

export const NOW = Date.parse('2031-03-10T12:00:00.000Z');

export function moment(change: Partial<RolloutMoment> = {}): RolloutMoment {
  return { now: NOW, isActive: true, isConsumed: false, ...change };
}

export type EvidenceOptions = {
  readonly pairs?: readonly object[];
  readonly thresholds?: unknown;
  /** Signed too. */
  readonly envelope?: object;
  /** Default {@link NOW}, in milliseconds of Unix time. */
  readonly measuredAt?: number;
};

/** What an artifact of evidence holds; as it is, every gate passes. */
export function evidence(options: EvidenceOptions = {}): JsonObject {
  const { pairs: of = pairs(), measuredAt = NOW } = options;
  const signed = { measured_at: new Date(measuredAt).toISOString(), ...options.envelope };
  return {
    pairs: of,
    ...('thresholds' in options && { thresholds: options.thresholds }),
    measurement_envelope: envelope(of, signed),
  } as JsonObject;
}
