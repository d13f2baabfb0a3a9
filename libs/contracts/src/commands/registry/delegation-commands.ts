import { z } from 'zod';
import { artifactIdSchema, sequenceSchema } from '../../ids.js';
import {
  digestSchema,
  environmentSchema,
  factsSchema,
  fenceSchema,
  interventionFamilySchema,
  lineageIdSchema,
  registryCommandId,
  registryTimeSchema,
  taskCorpusIdSchema,
  workgroupIdSchema,
  workgroupKey,
} from './registry-ids.js';
import { contextModeSchema, SENSITIVITY_WORDS, workgroupPhaseSchema } from './registry-words.js';

/** A capsule whose content is durable: what is known of it beside. */
export const recordCapsuleSchema = z.strictObject({
  ...workgroupKey,
  ...registryCommandId,
  capsuleHash: digestSchema,
  artifactId: artifactIdSchema,
  taskId: z.string().min(1).max(128),
  phase: workgroupPhaseSchema,
  bytes: z.int().min(1),
});

export const findCapsuleSchema = z.strictObject({ ...workgroupKey, capsuleHash: digestSchema });

export const capsuleViewSchema = z.strictObject({
  capsuleHash: digestSchema,
  artifactId: artifactIdSchema,
  taskId: z.string(),
  phase: workgroupPhaseSchema,
  bytes: z.int().min(1),
  recordedAt: registryTimeSchema,
});

/**
 * What is to be handed on, recorded before it is. The decision is the contract's dispatch (§11) over recorded state:
 * active writers, inherited writers, depth, the lineage's record, the phase and the rollout's stage are the registry's.
 */
export const delegateSchema = z.strictObject({
  ...workgroupKey,
  ...registryCommandId,
  taskId: z.string().min(1).max(128),
  nodeId: z.string().min(1).max(128),
  role: z.string().min(1).max(128),
  ownedFiles: z.array(z.string()).max(256).optional(),
  dependenciesReady: z.boolean(),
  coupling: z.enum(['tight', 'independent']),
  sensitivity: z.enum(SENSITIVITY_WORDS),
  independentReviewer: z.boolean(),
  expectedReuse: z.enum(['none', 'low', 'high']),
  /** Who delegates, where a lineage does: the new unit is nested in it. */
  parentLineageId: lineageIdSchema.optional(),
  /** Of that lineage's holder; where it is given, it has to hold. */
  parentFence: fenceSchema.optional(),
  /** The lineage that might go on. */
  lineageId: lineageIdSchema.optional(),
  /** Current facts (§5.2), where a lineage is named. */
  current: factsSchema.optional(),
  /** Further routing facts (§4.1): inheritance, team, trivial, blocking, capsule_sufficient. */
  routing: factsSchema.optional(),
  /** Facts of the result policy (§9). */
  resultPolicy: factsSchema.optional(),
  /** Which rollout decides whether the recommendation is executed. */
  environment: environmentSchema,
  family: interventionFamilySchema,
  /** How it would be done without the recommendation; default `fresh-capsule`. */
  actualMode: contextModeSchema.optional(),
  /** Default: `anon-` and the first 32 hexadecimal digits of the SHA-256 of `<tenant>/<workgroup>/<task id>`. */
  taskCorpusId: taskCorpusIdSchema.optional(),
});

export const delegationViewSchema = z.strictObject({
  delegationId: z.string(),
  workgroupId: workgroupIdSchema,
  sequence: sequenceSchema,
  recordedAt: registryTimeSchema,
  taskId: z.string(),
  nodeId: z.string(),
  phase: workgroupPhaseSchema,
  role: z.string(),
  ownedPaths: z.array(z.string()),
  dependenciesReady: z.boolean(),
  coupling: z.string(),
  sensitivity: z.string(),
  independentReviewer: z.boolean(),
  expectedReuse: z.string(),
  /** Who delegates; absent where no lineage does. An inheritance under this delegation is from it. */
  parentLineageId: lineageIdSchema.optional(),
  /** A lineage that may go on (state `HOT`), or null. */
  compatibleLineage: z.string().nullable(),
  /** Of the lineage that was named (§5.3). */
  lineage: z.strictObject({ state: z.string(), invalidations: z.array(z.string()) }).nullable(),
  /** What is recommended, and why (§4). */
  mode: contextModeSchema,
  reasonCodes: z.array(z.string()),
  /** What is to be done: the recommendation where the rollout executes it, else how it would have been done. */
  selectedMode: contextModeSchema,
  rollout: z.strictObject({
    environment: z.string(),
    family: z.string(),
    stage: z.string(),
    executeRecommendation: z.boolean(),
    canaryBucket: z.number().nullable(),
  }),
  resultMode: z.string().nullable(),
  /** What the caller said otherwise than it is recorded. */
  differences: z.array(z.string()),
});

export const delegationListSchema = z.strictObject({
  delegations: z.array(delegationViewSchema),
  next: sequenceSchema.optional(),
});

/** What a worker saw of an MCP server; shared by all of its workgroup. */
export const reportMcpHealthSchema = z.strictObject({
  ...workgroupKey,
  ...registryCommandId,
  server: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/),
  healthy: z.boolean(),
});

export const mcpHealthQuerySchema = z.strictObject({
  ...workgroupKey,
  server: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/),
  ttlMinutes: z.number().min(0).max(1440).optional(),
});

export const mcpHealthAnswerSchema = z.strictObject({
  server: z.string(),
  action: z.enum(['use', 'skip', 'check']),
  reason: z.string(),
  /** Absent where nothing is known. */
  checkedAt: registryTimeSchema.optional(),
});

/** A piece of knowledge whose text is durable, with the contract's verdict on it (§10). It waits for its writer's gate. */
export const acceptKnowledgeSchema = z.strictObject({
  ...workgroupKey,
  ...registryCommandId,
  /** The lineage that writes, and the fence it holds. */
  lineageId: lineageIdSchema,
  fence: fenceSchema,
  artifactId: artifactIdSchema,
  deltaHash: z.string().regex(/^[0-9a-f]{64}$/),
  action: z.enum(['skip', 'amend', 'update', 'flush', 'batch']),
});

/** At a gate: one call for each writer, with all that waits. */
export const flushKnowledgeSchema = z.strictObject({
  ...workgroupKey,
  ...registryCommandId,
  gate: z.string().min(1).max(128),
});

export const knowledgeCallsSchema = z.strictObject({
  calls: z.array(z.strictObject({ writer: z.string(), artifactIds: z.array(z.string()) })),
  /** What still waits, over all writers. */
  waiting: z.int().min(0),
  /** True where the same text was accepted before. */
  duplicate: z.boolean().optional(),
});

/** What to load and why; the workgroup and its phase are the recorded ones. */
export const planLoadingSchema = z.strictObject({
  ...workgroupKey,
  capsuleHash: digestSchema.optional(),
  decisions: z.strictObject({ project: z.boolean(), architecture: z.boolean() }).optional(),
  delegationEligible: z.boolean().optional(),
  relayTarget: z.string().min(1).max(512).optional(),
  compliance: z
    .strictObject({ enabled: z.boolean(), userSource: z.string().min(1).max(512).optional() })
    .optional(),
  output: z.enum(['ephemeral', 'durable', 'artifact']).optional(),
  failure: z
    .strictObject({ summaryResolves: z.boolean(), artifact: z.string().min(1).max(512).optional() })
    .optional(),
});

export const loadingPlanSchema = z.strictObject({
  phase: workgroupPhaseSchema,
  steps: z.array(
    z.strictObject({ resource: z.string(), reason: z.string(), reference: z.string().nullable() }),
  ),
});

export type RecordCapsule = z.infer<typeof recordCapsuleSchema>;
export type FindCapsule = z.infer<typeof findCapsuleSchema>;
export type CapsuleView = z.infer<typeof capsuleViewSchema>;
export type Delegate = z.infer<typeof delegateSchema>;
export type DelegationView = z.infer<typeof delegationViewSchema>;
export type DelegationList = z.infer<typeof delegationListSchema>;
export type ReportMcpHealth = z.infer<typeof reportMcpHealthSchema>;
export type McpHealthQuery = z.infer<typeof mcpHealthQuerySchema>;
export type McpHealthAnswer = z.infer<typeof mcpHealthAnswerSchema>;
export type AcceptKnowledge = z.infer<typeof acceptKnowledgeSchema>;
export type FlushKnowledge = z.infer<typeof flushKnowledgeSchema>;
export type KnowledgeCalls = z.infer<typeof knowledgeCallsSchema>;
export type PlanLoading = z.infer<typeof planLoadingSchema>;
export type LoadingPlan = z.infer<typeof loadingPlanSchema>;
