import { z } from 'zod';

/** Words of the context-efficiency contract (§2, §5.1) as they cross processes; the registry proves that they are its library's. */
export const WORKGROUP_PHASES = ['1A', '1B', '2A', '2B', '3'] as const;
export const CONTEXT_MODES = [
  'local',
  'resume',
  'inherit-full',
  'inherit-recent',
  'fresh-capsule',
  'coordinated-team',
] as const;
export const SENSITIVITY_WORDS = ['normal', 'restricted', 'isolated'] as const;
export const ROLLOUT_STAGES = ['off', 'observe', 'shadow', 'canary', 'on'] as const;

/** Why somebody may have a lineage leave its workgroup. */
export const REQUESTED_EVICTION_REASONS = [
  'INCOMPATIBLE',
  'SENSITIVITY_TRANSITION',
  'CAPACITY_PRESSURE',
  'NO_LIKELY_CONTINUATION',
] as const;
/** Why one left: the clock and the final gate have reasons of their own. */
export const EVICTION_REASONS = ['LEASE_EXPIRED', 'FINAL_GATE', ...REQUESTED_EVICTION_REASONS] as const;

/** Why measurements are not believed (§12.4): the envelope's faults, and pairs that nobody measured. */
export const PROVENANCE_CAUSES = [
  'pairs_not_measured',
  'malformed',
  'version_mismatch',
  'runtime_digest_mismatch',
  'consumed',
  'stale',
  'corpus_digest_mismatch',
  'unknown_key',
  'bad_signature',
] as const;

export const workgroupPhaseSchema = z.enum(WORKGROUP_PHASES);
export const contextModeSchema = z.enum(CONTEXT_MODES);
export const rolloutStageSchema = z.enum(ROLLOUT_STAGES);
export const evictionReasonSchema = z.enum(EVICTION_REASONS);

export type WorkgroupPhase = z.infer<typeof workgroupPhaseSchema>;
export type ContextMode = z.infer<typeof contextModeSchema>;
export type RolloutStage = z.infer<typeof rolloutStageSchema>;
export type EvictionReason = z.infer<typeof evictionReasonSchema>;
