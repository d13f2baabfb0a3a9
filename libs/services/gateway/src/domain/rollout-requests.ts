import { z } from 'zod';
import { REASONS } from '@palimpsest/context-efficiency';
import { changeStageSchema, interventionFamilySchema, selectSchema } from '@palimpsest/contracts/registry';

/** What the path and the key say, and the request's own id. */
const ELSEWHERE = { tenantId: true, environment: true, commandId: true } as const;

export const changeStageRequestSchema = changeStageSchema.omit(ELSEWHERE);

/** Of words that will be recorded only known ones are taken. */
export const selectRequestSchema = selectSchema.omit(ELSEWHERE).extend({
  reasonCodes: z.array(z.enum(REASONS)).max(REASONS.length).optional(),
});

/** The contract judges what is measured (§12); the candidate, the time and the consumed runs are the registry's. */
export const promoteRequestSchema = z.strictObject({
  family: interventionFamilySchema,
  pairs: z.array(z.unknown()).min(1),
  thresholds: z.record(z.string(), z.unknown()).optional(),
  measurementEnvelope: z.record(z.string(), z.unknown()),
  expectedVersion: z.int().min(0).optional(),
});

export type PromoteRequest = z.infer<typeof promoteRequestSchema>;

export const rolloutReportQuerySchema = z.object({ family: interventionFamilySchema });
