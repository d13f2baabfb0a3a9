/** Closed lists of words (contract §2). */

export const MODES = [
  'local',
  'resume',
  'inherit-full',
  'inherit-recent',
  'fresh-capsule',
  'coordinated-team',
] as const;
export type Mode = (typeof MODES)[number];

/** In the order in which lists of reasons are sorted. */
export const REASONS = [
  'LOCAL_CHEAPER',
  'BLOCKING',
  'RESUME_COMPATIBLE',
  'HIGH_CONTEXT_AFFINITY',
  'BOUNDED_RECENT_CONTEXT',
  'INDEPENDENT_CAPSULE',
  'SENSITIVITY_ISOLATION',
  'REVIEW_INDEPENDENCE',
  'TEAM_COORDINATION_REQUIRED',
  'WRITER_OWNERSHIP_CONFLICT',
  'NESTING_LIMIT',
  'CAPABILITY_FALLBACK',
] as const;
export type Reason = (typeof REASONS)[number];

export const PHASES = ['1A', '1B', '2A', '2B', '3'] as const;
export type Phase = (typeof PHASES)[number];

export const SENSITIVITIES = ['normal', 'restricted', 'isolated'] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];

export const STRATA = [
  'small-tier2',
  'backend-refactor',
  'ui-integration',
  'security-compliance',
  'recovery-invalidation',
] as const;
export type Stratum = (typeof STRATA)[number];

export function isOneOf<Word extends string>(words: readonly Word[], value: unknown): value is Word {
  return (words as readonly unknown[]).includes(value);
}
