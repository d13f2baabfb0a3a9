import { z } from 'zod';
import { artifactIdSchema, sequenceSchema } from '../../ids.js';
import {
  digestSchema,
  factsSchema,
  fenceSchema,
  leaseMsSchema,
  lineageIdSchema,
  lineageKey,
  registryCommandId,
  registryTimeSchema,
  workgroupIdSchema,
  workgroupKey,
} from './registry-ids.js';
import {
  contextModeSchema,
  evictionReasonSchema,
  REQUESTED_EVICTION_REASONS,
  workgroupPhaseSchema,
} from './registry-words.js';

/** Paths as the contract writes them (§4.2); which ones are well formed, it decides. */
const ownedFilesSchema = z.array(z.string()).max(256);

/** Who hands the work on, and what was recorded of it before. */
const delegated = {
  /** Recorded in the workgroup: the unit's role, sensitivity, paths, mode, parent and independence are those. One lineage at a time has it. */
  delegationId: z.string().min(1).max(128).optional(),
  /** Of the parent's holder; where it is given, it has to hold. */
  parentFence: fenceSchema.optional(),
};

/**
 * A worker's lineage begins, and its first lease. `record` is the contract's agent lineage (§5.1); what the registry
 * knows better (times, lease, workgroup, schema) may be left out, and is the registry's. A platform's handle is never kept.
 */
export const registerLineageSchema = z.strictObject({
  ...workgroupKey,
  ...registryCommandId,
  record: factsSchema,
  ownedFiles: ownedFilesSchema.optional(),
  isWriter: z.boolean().optional(),
  leaseMs: leaseMsSchema.optional(),
  ...delegated,
});

/** The right to go on as this worker, where the recorded lineage is hot under `current` (§5.2, §5.3). */
export const resumeLineageSchema = z.strictObject({
  ...lineageKey,
  ...registryCommandId,
  current: factsSchema,
  /** The caller's copy of the record: never decided by, only compared. */
  record: factsSchema.optional(),
  /** Default: the paths it had. */
  ownedFiles: ownedFilesSchema.optional(),
  leaseMs: leaseMsSchema.optional(),
});

/** A new lineage that begins with what `lineageId` knows. `record` is the child's. */
export const inheritLineageSchema = z.strictObject({
  ...lineageKey,
  ...registryCommandId,
  mode: z.enum(['inherit-full', 'inherit-recent']),
  record: factsSchema,
  current: factsSchema,
  ownedFiles: ownedFilesSchema.optional(),
  isWriter: z.boolean().optional(),
  leaseMs: leaseMsSchema.optional(),
  ...delegated,
});

const fenced = { ...lineageKey, ...registryCommandId, fence: fenceSchema };

export const renewLineageSchema = z.strictObject({ ...fenced, leaseMs: leaseMsSchema.optional() });

/** The capsule, stored before, that the lineage goes on from: whoever holds it, or anybody where nobody does. */
export const reconcileLineageSchema = z.strictObject({
  ...lineageKey,
  ...registryCommandId,
  fence: fenceSchema.optional(),
  capsuleHash: digestSchema,
});

/** The holder is done. The worker stays warm for `warmMs`, unless its scope is complete and nothing likely follows. */
export const releaseLineageSchema = z.strictObject({
  ...fenced,
  warmMs: leaseMsSchema.optional(),
  scopeComplete: z.boolean().optional(),
  likelyContinuation: z.boolean().optional(),
});

export const evictLineageSchema = z.strictObject({
  ...lineageKey,
  ...registryCommandId,
  reason: z.enum(REQUESTED_EVICTION_REASONS),
});

/** What a holder's work came to. It is evidence: no phase moves, and nothing is approved by it. */
export const recordResultSchema = z.strictObject({
  ...fenced,
  taskId: z.string().min(1).max(128),
  /** Of the contract's result policy (§9). */
  policy: factsSchema,
  /** Where the content lies. */
  artifactIds: z.array(artifactIdSchema).max(128).optional(),
});

export const resultAnswerSchema = z.strictObject({
  sequence: sequenceSchema,
  mode: z.enum(['ephemeral', 'durable', 'artifact']),
  writeProhibited: z.boolean(),
  writes: z.record(z.string(), z.boolean()),
});

const leaseSchema = z.strictObject({ fence: fenceSchema, expiresAt: registryTimeSchema });

const refusalSchema = z.strictObject({
  sequence: sequenceSchema,
  refusedAt: registryTimeSchema,
  /** The error's code. */
  code: z.string(),
  /** Of the contract (§5.3), where the lineage was judged. */
  state: z.string().optional(),
  invalidations: z.array(z.string()),
  /** What bars a lineage that is hot (§4.4). */
  reasonCodes: z.array(z.string()).optional(),
});

/** `held`: somebody works as it. `idle`: warm, may be resumed. `evicted`: gone. */
export const lineageViewSchema = z.strictObject({
  lineageId: lineageIdSchema,
  workgroupId: workgroupIdSchema,
  status: z.enum(['held', 'idle', 'evicted']),
  isWriter: z.boolean(),
  /** Canonical; owned only while held. */
  ownedPaths: z.array(z.string()),
  lease: leaseSchema.optional(),
  /** How the one who holds it, or held it last, got its context. */
  grant: contextModeSchema,
  /** 0 for one without a parent. */
  depth: z.int().min(0),
  reconcileRequired: z.boolean(),
  eviction: evictionReasonSchema.optional(),
  record: factsSchema,
});

/** A view with the newest 20 refusals, newest last. */
export const lineageDocumentSchema = lineageViewSchema.extend({ refusals: z.array(refusalSchema) });

/** A right that was given. `differences` names what the caller said otherwise than it is recorded. */
export const lineageGrantSchema = z.strictObject({
  lineage: lineageViewSchema,
  fence: fenceSchema,
  expiresAt: registryTimeSchema,
  differences: z.array(z.string()),
});

/**
 * A page of at most 512 KiB. One that is there while all pages are read is on exactly one of them, whatever becomes of
 * it; one that comes, or leaves those that are listed, meanwhile is on one or on none.
 */
export const lineageListSchema = z.strictObject({
  workgroupId: workgroupIdSchema,
  /** Held and idle ones, by id; with `evicted`, the newest 200 of those among them. */
  lineages: z.array(lineageViewSchema),
  /** To go on after; absent at the end. */
  next: lineageIdSchema.optional(),
});

export const listLineagesSchema = z.strictObject({
  ...workgroupKey,
  evicted: z.boolean().optional(),
  /** An id, of a lineage that is there or of none. */
  after: lineageIdSchema.optional(),
});

/** Of one owned path, as it is shown. */
export const MOST_OWNED_PATH_LENGTH = 1024;

export const ownedPathsQuerySchema = z.strictObject({
  ...workgroupKey,
  /** A path that somebody owns, or any other text. */
  after: z.string().min(1).max(MOST_OWNED_PATH_LENGTH).optional(),
});

/** A page of at most 512 KiB. A path that is owned while all pages are read is on exactly one of them. */
export const ownedPathsSchema = z.strictObject({
  workgroupId: workgroupIdSchema,
  /** By path. */
  paths: z.array(
    z.strictObject({
      path: z.string(),
      lineageId: lineageIdSchema,
      role: z.string(),
      phase: workgroupPhaseSchema,
      fence: fenceSchema,
      expiresAt: registryTimeSchema,
    }),
  ),
  /** To go on after; absent at the end. */
  next: z.string().optional(),
});

export type RegisterLineage = z.infer<typeof registerLineageSchema>;
export type ResumeLineage = z.infer<typeof resumeLineageSchema>;
export type InheritLineage = z.infer<typeof inheritLineageSchema>;
export type RenewLineage = z.infer<typeof renewLineageSchema>;
export type ReconcileLineage = z.infer<typeof reconcileLineageSchema>;
export type ReleaseLineage = z.infer<typeof releaseLineageSchema>;
export type EvictLineage = z.infer<typeof evictLineageSchema>;
export type RecordResult = z.infer<typeof recordResultSchema>;
export type ResultAnswer = z.infer<typeof resultAnswerSchema>;
export type LineageView = z.infer<typeof lineageViewSchema>;
export type LineageDocument = z.infer<typeof lineageDocumentSchema>;
export type LineageGrant = z.infer<typeof lineageGrantSchema>;
export type LineageList = z.infer<typeof lineageListSchema>;
export type ListLineages = z.infer<typeof listLineagesSchema>;
export type OwnedPathsQuery = z.infer<typeof ownedPathsQuerySchema>;
export type OwnedPaths = z.infer<typeof ownedPathsSchema>;
