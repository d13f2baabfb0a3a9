import { Inject, Injectable } from '@nestjs/common';
import { canonicalJson, type SealedCapsule } from '@palimpsest/context-efficiency';
import type { JsonValue } from '@palimpsest/contracts';
import type { CapsuleView, FindCapsule, WorkgroupQuery } from '@palimpsest/contracts/registry';
import {
  ARTIFACT_STORE,
  ArtifactErasedError,
  isErased,
  NotFoundError,
  type ArtifactStore,
} from '@palimpsest/kernel';
import { workgroupScope } from '../domain/artifact-scopes.js';
import { REGISTRY, type Registry } from '../ports.js';
import type { Attempt } from './idempotent-requests.js';
import { storeContent } from './stored-content.js';

export type RecordedCapsule = Pick<CapsuleView, 'capsuleHash' | 'bytes' | 'taskId' | 'phase'>;

const TYPE = 'context.capsule';

@Injectable()
export class Capsules {
  constructor(
    @Inject(REGISTRY) private readonly registry: Registry,
    @Inject(ARTIFACT_STORE) private readonly artifacts: ArtifactStore,
  ) {}

  /**
   * Content first, so that no capsule is on record without it.
   * @throws ArtifactErasedError where this capsule was kept before, and erased
   */
  async record(
    workgroup: WorkgroupQuery,
    capsule: SealedCapsule,
    { commandId }: Attempt,
  ): Promise<RecordedCapsule> {
    const artifactId = await this.store(workgroup, capsule);
    const { capsuleHash, bytes, taskId, phase } = await this.registry.recordCapsule({
      ...workgroup,
      capsuleHash: capsule.capsule_hash,
      artifactId,
      taskId: capsule.task_id,
      phase: capsule.phase,
      bytes: new TextEncoder().encode(canonicalJson(capsule)).length,
      ...(commandId !== undefined && { commandId }),
    });
    return { capsuleHash, bytes, taskId, phase };
  }

  async read(query: FindCapsule): Promise<JsonValue> {
    const { artifactId } = await this.registry.findCapsule(query);
    const scope = workgroupScope(query.workgroupId);
    const reading = await this.artifacts.getForRun(query.tenantId, scope, artifactId);
    if (!reading) throw new NotFoundError('The capsule');
    if (isErased(reading)) throw new ArtifactErasedError(artifactId);
    return reading.content;
  }

  private async store({ tenantId, workgroupId }: WorkgroupQuery, capsule: SealedCapsule): Promise<string> {
    const artifactId = await storeContent(
      this.artifacts,
      { tenantId, scope: workgroupScope(workgroupId) },
      { type: TYPE, origin: 'capsule', content: capsule },
    );
    const unreadable = await this.artifacts.unreadable(tenantId, [{ artifactId, type: TYPE }]);
    if (unreadable.length > 0) throw new ArtifactErasedError(artifactId);
    return artifactId;
  }
}
