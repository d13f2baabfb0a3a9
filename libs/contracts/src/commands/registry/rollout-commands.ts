import { z } from 'zod';
import { artifactIdSchema, sequenceSchema, tenantIdSchema } from '../../ids.js';
import {
  digestSchema,
  environmentSchema,
  interventionFamilySchema,
  registryCommandId,
  registryTimeSchema,
  taskCorpusIdSchema,
} from './registry-ids.js';
import { contextModeSchema, PROVENANCE_CAUSES, rolloutStageSchema } from './registry-words.js';

const rolloutKey = { tenantId: tenantIdSchema, environment: environmentSchema };
const versionSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/);

/** What measurements must have been made with (contract §12.4). */
export const candidateSchema = z.strictObject({
  candidateVersion: versionSchema,
  corpusVersion: versionSchema,
  runtimeDigest: digestSchema,
});

export const rolloutQuerySchema = z.strictObject(rolloutKey);

/**
 * Moves a family to another stage: one rung up without a promotion as far as `shadow`, down to any rung at any time. `stage_not_next`,
 * `promotion_required`, `stage_not_active`, `intervention_in_progress`, `version_conflict` where that is not so; `environment_full` for
 * a family that never left `off` beside 100 that did.
 */
export const changeStageSchema = z.strictObject({
  ...rolloutKey,
  ...registryCommandId,
  family: interventionFamilySchema,
  stage: rolloutStageSchema,
  /** With `canary`: 10, 25 or 50. */
  canaryPercent: z.int().min(1).max(99).optional(),
  /** Wanted where a family leaves `off`; kept until it is `off` again. */
  candidate: candidateSchema.optional(),
  /** The family's version that the caller saw. */
  expectedVersion: z.int().min(0).optional(),
});

export const rolloutViewSchema = z.strictObject({
  family: interventionFamilySchema,
  /** Grows with each change; 0 for one that never left `off`. */
  version: z.int().min(0),
  stage: rolloutStageSchema,
  canaryPercent: z.int().nullable(),
  candidate: candidateSchema.nullable(),
  since: registryTimeSchema.nullable(),
  /** The selector was called in this stage and its event recorded. */
  active: z.boolean(),
});

export const rolloutsSchema = z.strictObject({
  environment: environmentSchema,
  /** Those that ever left `off`, by name; at most 100. */
  families: z.array(rolloutViewSchema),
});

/**
 * The selector (contract §8) in the recorded stage. With it redacted events are recorded, where the stage records them: what is done
 * under `eventId`, and what is recommended under `<eventId>:recommended`, each with its own reasons.
 */
export const selectSchema = z.strictObject({
  ...rolloutKey,
  ...registryCommandId,
  family: interventionFamilySchema,
  actualMode: contextModeSchema,
  recommendedMode: contextModeSchema.optional(),
  /** Known reasons (contract §2) of the recommendation, which needs one, or else of the mode that is done. One stands for a mode without. */
  reasonCodes: z.array(z.string()).max(12).optional(),
  /** Wanted in a canary. */
  taskCorpusId: taskCorpusIdSchema.optional(),
  /** Default `other`. */
  provider: z.enum(['claude', 'codex', 'other']).optional(),
});

export const selectionSchema = z.strictObject({
  environment: environmentSchema,
  family: interventionFamilySchema,
  stage: rolloutStageSchema,
  canaryPercent: z.int().nullable(),
  executeRecommendation: z.boolean(),
  recordActual: z.boolean(),
  recordRecommendation: z.boolean(),
  selectedMode: contextModeSchema.nullable(),
  canaryBucket: z.number().nullable(),
  /** The id of the event of what is done; absent in `off`, where none is recorded. */
  eventId: z.string().optional(),
});

/** Evidence that is durable: `{ pairs, thresholds?, measurement_envelope }` as an artifact. */
export const promoteSchema = z.strictObject({
  ...rolloutKey,
  ...registryCommandId,
  family: interventionFamilySchema,
  evidenceArtifactId: artifactIdSchema,
  expectedVersion: z.int().min(0).optional(),
});

export const gateSchema = z.strictObject({
  gate: z.string(),
  /** What was measured; null where it is no number or unknown. */
  figure: z.json(),
  threshold: z.json(),
  passed: z.boolean(),
  /** Why the gate `provenance` did not pass, all that was found; `stale` is also one that is measured later than now. */
  causes: z.array(z.enum(PROVENANCE_CAUSES)).optional(),
});

export const promotionSchema = z.strictObject({
  environment: environmentSchema,
  family: interventionFamilySchema,
  promoted: z.boolean(),
  from: z.strictObject({ stage: rolloutStageSchema, canaryPercent: z.int().nullable() }),
  /** The rung that was asked for, whether it was taken or not. */
  to: z.strictObject({ stage: rolloutStageSchema, canaryPercent: z.int().nullable() }),
  gates: z.array(gateSchema),
  sequence: sequenceSchema,
  evaluatedAt: registryTimeSchema,
});

export const rolloutReportQuerySchema = z.strictObject({ ...rolloutKey, family: interventionFamilySchema });

const figureSchema = z.number().nullable();

/**
 * What was observed in the environment since the family's last change (`rollout.since`; all of it where it never left `off`), by the
 * database's clock, by how work was done. What was only recommended counts nowhere. An event that names no mode, as those of the
 * host's own runs, has that of the newest decision that was done for its `task_corpus_id`, whichever family's and whenever; `mode` null
 * is of events without such a one. Means of what is known; null where nothing is.
 */
const observedSchema = z.strictObject({
  mode: z.string().nullable(),
  events: z.int().min(0),
  /** Billed, from sources that vouch for it. Never derived from logical figures. */
  billed: z.strictObject({
    known: z.int().min(0),
    meanAmount: figureSchema,
    currency: z.string().nullable(),
    meanTokens: figureSchema,
  }),
  rediscovery: z.strictObject({ known: z.int().min(0), meanRepeatedFileReads: figureSchema }),
  latency: z.strictObject({ known: z.int().min(0), meanElapsedMs: figureSchema }),
});

export const rolloutReportSchema = z.strictObject({
  rollout: rolloutViewSchema,
  environment: environmentSchema,
  /** Of the last promotion that was asked for; null where none was. */
  promotion: promotionSchema.nullable(),
  observed: z.array(observedSchema),
  /** Newest last, at most 50. */
  history: z.array(
    z.strictObject({
      sequence: sequenceSchema,
      changedAt: registryTimeSchema,
      stage: rolloutStageSchema,
      canaryPercent: z.int().nullable(),
      by: z.enum(['operator', 'promotion']),
    }),
  ),
});

export type RolloutQuery = z.infer<typeof rolloutQuerySchema>;
export type Candidate = z.infer<typeof candidateSchema>;
export type ChangeStage = z.infer<typeof changeStageSchema>;
export type RolloutView = z.infer<typeof rolloutViewSchema>;
export type Rollouts = z.infer<typeof rolloutsSchema>;
export type Select = z.infer<typeof selectSchema>;
export type Selection = z.infer<typeof selectionSchema>;
export type Promote = z.infer<typeof promoteSchema>;
export type Promotion = z.infer<typeof promotionSchema>;
export type RolloutReportQuery = z.infer<typeof rolloutReportQuerySchema>;
export type RolloutReport = z.infer<typeof rolloutReportSchema>;
