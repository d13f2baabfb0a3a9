import type { ArtifactType, JsonValue } from '@palimpsest/contracts';

export type NewArtifact = {
  readonly type: ArtifactType;
  readonly content: JsonValue;
  /**
   * What tells equal contents apart, at most 512 characters: equal content of the same origin is one artifact, so that
   * a retry stores nothing twice, and erasing what one person said erases nothing of another's. Default empty.
   */
  readonly origin?: string;
  /** Artifacts whose erasure must erase this one too. */
  readonly derivedFrom?: readonly string[];
};

export type StoredArtifact = {
  readonly artifactId: string;
  readonly type: ArtifactType;
  readonly content: JsonValue;
  /** ISO 8601. */
  readonly createdAt: string;
};

/** An artifact as read: its content, or the fact that it was erased. */
export type ArtifactReading = StoredArtifact | { readonly artifactId: string; readonly erased: true };

/**
 * Content, addressed by an opaque id: `art_` and a truncated HMAC-SHA-256 of origin and content under the tenant's
 * key, so that a put is idempotent and an id tells nothing. Durable when a put returns.
 */
export interface ArtifactStore {
  /** Stores content for a run; ids in the order given. Erased content that is put again stays erased. */
  put(tenantId: string, runId: string, artifacts: readonly NewArtifact[]): Promise<readonly string[]>;
  /** Reads by id, in the order asked; absent ids are left out of the map. */
  get(tenantId: string, artifactIds: readonly string[]): Promise<ReadonlyMap<string, ArtifactReading>>;
  /** As `get`, of one artifact, and only where the run (or one it was forked from) refers to it. */
  getForRun(tenantId: string, runId: string, artifactId: string): Promise<ArtifactReading | undefined>;
  /** Lets a fork read what its source refers to. Idempotent. */
  linkFork(tenantId: string, forkRunId: string, sourceRunId: string): Promise<void>;
  /** Erases an artifact and all that was derived from it; returns the ids erased. Idempotent. */
  erase(tenantId: string, artifactId: string): Promise<readonly string[]>;
}

export function isErased(reading: ArtifactReading): reading is Extract<ArtifactReading, { erased: true }> {
  return 'erased' in reading;
}
