import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import type { Promotion } from '@palimpsest/contracts/registry';
import { ARTIFACT_STORE, type ArtifactStore } from '@palimpsest/kernel';
import { rolloutScope } from '../domain/artifact-scopes.js';
import type { PromoteRequest } from '../domain/rollout-requests.js';
import { REGISTRY, type Registry } from '../ports.js';
import type { Attempt } from './idempotent-requests.js';
import { storeContent } from './stored-content.js';

/** Where a promotion is asked for, and the id that its retry carries as well. */
export type PromotionPlace = Pick<Attempt, 'commandId'> & {
  readonly tenantId: string;
  readonly environment: string;
};

@Injectable()
export class Promotions {
  constructor(
    @Inject(REGISTRY) private readonly registry: Registry,
    @Inject(ARTIFACT_STORE) private readonly artifacts: ArtifactStore,
  ) {}

  /** The evidence is durable before anybody decides by it. Sent again, it is the same artifact. */
  async promote(place: PromotionPlace, request: PromoteRequest): Promise<Promotion> {
    const { tenantId, environment } = place;
    const { family, expectedVersion } = request;
    const evidenceArtifactId = await storeContent(
      this.artifacts,
      { tenantId, scope: rolloutScope(environment) },
      { type: 'promotion.evidence', origin: `${environment}/${family}`, content: evidenceOf(request) },
    );
    const expected = expectedVersion === undefined ? {} : { expectedVersion };
    return this.registry.promote({ ...place, family, evidenceArtifactId, ...expected });
  }
}

function evidenceOf({ pairs, thresholds, measurementEnvelope }: PromoteRequest): JsonObject {
  return {
    pairs: pairs as JsonValue[],
    ...(thresholds !== undefined && { thresholds: thresholds as JsonObject }),
    measurement_envelope: measurementEnvelope as JsonObject,
  };
}
