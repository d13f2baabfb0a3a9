import {
  evictLineageSchema,
  inheritLineageSchema,
  reconcileLineageSchema,
  recordResultSchema,
  registerLineageSchema,
  releaseLineageSchema,
  renewLineageSchema,
  resumeLineageSchema,
} from '@palimpsest/contracts/registry';

/** What the path and the key say, and the request's own id. */
const ELSEWHERE = { tenantId: true, lineageId: true, commandId: true } as const;

export const registerRequestSchema = registerLineageSchema.omit({
  tenantId: true,
  workgroupId: true,
  commandId: true,
});
export const resumeRequestSchema = resumeLineageSchema.omit(ELSEWHERE);
export const inheritRequestSchema = inheritLineageSchema.omit(ELSEWHERE);
export const renewRequestSchema = renewLineageSchema.omit(ELSEWHERE);
export const reconcileRequestSchema = reconcileLineageSchema.omit(ELSEWHERE);
export const releaseRequestSchema = releaseLineageSchema.omit(ELSEWHERE);
export const evictRequestSchema = evictLineageSchema.omit(ELSEWHERE);
export const resultRequestSchema = recordResultSchema.omit(ELSEWHERE);
