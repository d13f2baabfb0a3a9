import { z } from 'zod';
import { storableTextSchema } from '@palimpsest/contracts';
import {
  acceptKnowledgeSchema,
  advancePhaseSchema,
  approveSchema,
  coordinateSchema,
  delegateSchema,
  factsSchema,
  flushKnowledgeSchema,
  lineageIdSchema,
  mcpHealthQuerySchema,
  MOST_OWNED_PATH_LENGTH,
  planLoadingSchema,
  reportMcpHealthSchema,
} from '@palimpsest/contracts/registry';
import { placeInStream, rowLimit } from './query-numbers.js';

/** What the path and the key say, and the request's own id. */
const ELSEWHERE = { tenantId: true, workgroupId: true, commandId: true } as const;

export const coordinateRequestSchema = coordinateSchema.omit(ELSEWHERE);
export const advanceRequestSchema = advancePhaseSchema.omit(ELSEWHERE);
export const approveRequestSchema = approveSchema.omit(ELSEWHERE);
export const delegateRequestSchema = delegateSchema.omit(ELSEWHERE);
export const mcpHealthReportSchema = reportMcpHealthSchema.omit(ELSEWHERE);
export const flushRequestSchema = flushKnowledgeSchema.omit(ELSEWHERE);
export const loadingPlanRequestSchema = planLoadingSchema.omit({ tenantId: true, workgroupId: true });

/** The delta and what it is judged by (contract §10); which of it is well formed, the contract says. */
export const knowledgeDeltaRequestSchema = acceptKnowledgeSchema
  .pick({ lineageId: true, fence: true })
  .extend({
    delta: factsSchema,
    previousDeltas: z.array(factsSchema).max(256).optional(),
    /** Bare lower-case hexadecimal. */
    previousHashes: z.array(z.string().max(128)).max(1024).optional(),
    explicitSave: z.boolean().optional(),
    interruptionSensitive: z.boolean().optional(),
    severity: z.string().max(32).optional(),
  });

export type KnowledgeDeltaRequest = z.infer<typeof knowledgeDeltaRequestSchema>;

const MAX_ROWS = 500;
const DEFAULT_ROWS = 100;

/** `after` is the sequence after which to begin; absent: from the start. */
export const streamPageQuerySchema = z.object({
  after: placeInStream.optional(),
  limit: rowLimit(MAX_ROWS).optional(),
});

export function pageOf({ after = -1, limit = DEFAULT_ROWS }: z.output<typeof streamPageQuerySchema>): {
  readonly after: number;
  readonly limit: number;
} {
  return { after, limit };
}

const MAX_TTL_MINUTES = 1440;

export const mcpHealthQueryRequestSchema = z.object({
  server: mcpHealthQuerySchema.shape.server,
  ttlMinutes: z
    .string()
    .regex(/^\d{1,6}(?:\.\d{1,6})?$/, 'must be a number')
    .transform(Number)
    .refine((minutes) => minutes <= MAX_TTL_MINUTES, `must be at most ${MAX_TTL_MINUTES}`)
    .optional(),
});

/** `after` is the next of the page before; absent: from the start. */
export const lineageListQuerySchema = z.object({
  evicted: z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .optional(),
  after: lineageIdSchema.optional(),
});

export const ownedPathsPageQuerySchema = z.object({
  after: storableTextSchema.min(1).max(MOST_OWNED_PATH_LENGTH).optional(),
});
