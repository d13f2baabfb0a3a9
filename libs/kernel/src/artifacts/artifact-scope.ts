import { artifactIdSchema, runIdSchema, tenantIdSchema } from '@palimpsest/contracts';
import { ValidationError } from '../errors/known-errors.js';

/** Refuses a write under ids that no tenant or run can have. */
export function checkScope(tenantId: string, ...runIds: readonly string[]): void {
  if (!tenantIdSchema.safeParse(tenantId).success) throw new ValidationError('Malformed tenant id.');
  if (!runIds.every((runId) => runIdSchema.safeParse(runId).success))
    throw new ValidationError('Malformed run id.');
}

/** True where something can stand under these ids; a read of anything else finds nothing. */
export function isReadableScope(tenantId: string, ...runIds: readonly string[]): boolean {
  return (
    tenantIdSchema.safeParse(tenantId).success && runIds.every((id) => runIdSchema.safeParse(id).success)
  );
}

/** The well-formed ids among those asked for, each once, in their order. */
export function readableIds(artifactIds: readonly string[]): readonly string[] {
  return [...new Set(artifactIds)].filter((id) => artifactIdSchema.safeParse(id).success);
}
