import type { JsonValue } from '@palimpsest/contracts';
import { ArtifactErasedError, isErased, NotFoundError, type ArtifactStore } from '@palimpsest/kernel';

/** What a promotion is decided by. `not_found` for an artifact of another type as for none; `artifact_erased`. */
export async function readEvidence(
  artifacts: Pick<ArtifactStore, 'get'>,
  tenantId: string,
  artifactId: string,
): Promise<JsonValue> {
  const reading = (await artifacts.get(tenantId, [artifactId])).get(artifactId);
  if (reading && isErased(reading)) throw new ArtifactErasedError(artifactId);
  if (reading?.type !== 'promotion.evidence') throw new NotFoundError('The evidence', { artifactId });
  return reading.content;
}
