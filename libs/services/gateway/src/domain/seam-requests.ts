import { z } from 'zod';
import { countSideEffectsSchema, programMockSchema } from '@palimpsest/contracts';
import { pathIdSchema } from './requests.js';

/** Any whole number: what no turn has is answered like one that is not there. */
export const transcriptWindowQuerySchema = z.object({
  runId: pathIdSchema,
  iteration: z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number),
});

/** Host specification §9.3: answers of the provider `mock` to a node, call after call. */
export const mockProgramRequestSchema = programMockSchema.omit({ tenantId: true });

/** Host specification §6.4: whose effects are counted. */
export const sideEffectsQuerySchema = z.object({ nodeId: countSideEffectsSchema.shape.nodeId });
