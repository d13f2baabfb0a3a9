import { Inject, Injectable } from '@nestjs/common';
import { decideDelta, hashOfDelta, readDelta, type DeltaDecision } from '@palimpsest/context-efficiency';
import type { JsonObject } from '@palimpsest/contracts';
import type { KnowledgeCalls, WorkgroupQuery } from '@palimpsest/contracts/registry';
import {
  ARTIFACT_STORE,
  isErased,
  NotFoundError,
  type ArtifactReading,
  type ArtifactStore,
} from '@palimpsest/kernel';
import { workgroupScope } from '../domain/artifact-scopes.js';
import { decidedBy } from '../domain/context-errors.js';
import type { KnowledgeDeltaRequest } from '../domain/workgroup-requests.js';
import { REGISTRY, type Registry } from '../ports.js';
import type { Attempt } from './idempotent-requests.js';
import { storeContent } from './stored-content.js';

type IdCall = KnowledgeCalls['calls'][number];
type CommandId = Pick<Attempt, 'commandId'>;

/** With ids only, as it may be kept. */
export type KnowledgeVerdict = {
  readonly action: DeltaDecision['action'];
  readonly reason: string;
  readonly KnowledgeId?: string;
  readonly deltaHash: string;
  readonly calls: readonly IdCall[];
  /** Absent of a delta that was skipped. */
  readonly waiting?: number;
  readonly duplicate?: boolean;
};

/** One consolidated call to the vault. A delta that was erased since is null. */
export type VaultCall = IdCall & { readonly deltas: readonly (JsonObject | null)[] };

export type Delta = WorkgroupQuery & { readonly request: KnowledgeDeltaRequest };

/** Knowledge on its way to a vault: judged here, its text in the artifact store, its place in the queue the registry's. */
@Injectable()
export class KnowledgeDeltas {
  constructor(
    @Inject(REGISTRY) private readonly registry: Registry,
    @Inject(ARTIFACT_STORE) private readonly artifacts: ArtifactStore,
  ) {}

  /**
   * Content first, then the command that refers to it; of what is skipped, neither.
   * @throws ContextRefusedError, NotFoundError
   */
  async accept(delta: Delta, command: CommandId): Promise<KnowledgeVerdict> {
    const { request, tenantId, workgroupId } = delta;
    const decision = decidedBy(() => decideDelta(factsOf(request)));
    const judged = { ...decision, deltaHash: hashOfDelta(readDelta(request.delta)) };
    await this.checkWriter(delta);
    if (decision.action === 'skip') return { ...judged, calls: [] };
    const { lineageId, fence } = request;
    const accepted = await this.registry.acceptKnowledge({
      tenantId,
      workgroupId,
      lineageId,
      fence,
      artifactId: await this.store(delta),
      deltaHash: judged.deltaHash,
      action: decision.action,
      ...command,
    });
    const { calls, waiting, duplicate } = accepted;
    return { ...judged, calls, waiting, ...(duplicate !== undefined && { duplicate }) };
  }

  /** Calls with what is to be written. @throws of the artifact store */
  async withDeltas<Answer extends { readonly calls: readonly IdCall[] }>(
    tenantId: string,
    answer: Answer,
  ): Promise<Omit<Answer, 'calls'> & { readonly calls: readonly VaultCall[] }> {
    const ids = answer.calls.flatMap(({ artifactIds }) => artifactIds);
    const texts =
      ids.length === 0 ? new Map<string, ArtifactReading>() : await this.artifacts.get(tenantId, ids);
    const deltaOf = (artifactId: string): JsonObject | null => {
      const reading = texts.get(artifactId);
      return reading && !isErased(reading) ? (reading.content as JsonObject) : null;
    };
    const calls = answer.calls.map((call) => ({ ...call, deltas: call.artifactIds.map(deltaOf) }));
    return { ...answer, calls };
  }

  /** Nothing is stored for a lineage that this workgroup has not; whether its fence holds, the registry says. */
  private async checkWriter({ tenantId, workgroupId, request }: Delta): Promise<void> {
    const { workgroupId: home } = await this.registry.readLineage({ tenantId, lineageId: request.lineageId });
    if (home !== workgroupId) throw new NotFoundError('The lineage');
  }

  /** The same of the same writer again is the same artifact. */
  private store({ tenantId, workgroupId, request }: Delta): Promise<string> {
    const scope = workgroupScope(workgroupId);
    return storeContent(
      this.artifacts,
      { tenantId, scope },
      {
        type: 'knowledge.delta',
        content: request.delta,
        origin: `knowledge:${workgroupId}:${request.lineageId}`,
      },
    );
  }
}

/** As the contract names them (§10). */
function factsOf(request: KnowledgeDeltaRequest): JsonObject {
  const { delta, previousDeltas = [], previousHashes = [], severity = null } = request;
  return {
    delta,
    previous_deltas: previousDeltas,
    previous_hashes: previousHashes,
    explicit_save: request.explicitSave ?? false,
    interruption_sensitive: request.interruptionSensitive ?? false,
    severity,
  };
}
