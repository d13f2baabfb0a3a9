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

/** What became of the content that a run gave up. Numbers of artifacts. */
export type RunErasure = {
  /** Erased by this call: no run uses them any more. What was erased before is not counted. */
  readonly erased: number;
  /** Still used by a run that did not give them up: a fork, a source, or one that stored the same. */
  readonly kept: number;
};

/** An artifact and what it is said to be. */
export type ArtifactReference = { readonly artifactId: string; readonly type: ArtifactType };

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
  /** Whether `getForRun` would find it, erased or damaged as it may be; no content is looked at. */
  refersTo(tenantId: string, runId: string, artifactId: string): Promise<boolean>;
  /**
   * Ids among these that could not be read as what they are said to be: absent, erased, of another type, or not what
   * was stored, if by one byte. Each once, in the order given; no content leaves the store.
   */
  unreadable(tenantId: string, references: readonly ArtifactReference[]): Promise<readonly string[]>;
  /** Lets a fork read what its source refers to. Idempotent. */
  linkFork(tenantId: string, forkRunId: string, sourceRunId: string): Promise<void>;
  /** Erases an artifact and all that was derived from it; returns the ids erased. Idempotent. */
  erase(tenantId: string, artifactId: string): Promise<readonly string[]>;
  /**
   * Gives up what a run stored, and what it reads of its sources: of that, erased is what no other run uses, with all
   * that was derived from it. A fork uses whatever its source refers to, until it is given up itself. What a run stores
   * afterwards is its own again. Asked again, there is nothing left to erase.
   */
  eraseRun(tenantId: string, runId: string): Promise<RunErasure>;
  /** Ids of what a run, or one it was forked from, refers to and that was erased, in the order of the ids. */
  erasedOf(tenantId: string, runId: string): Promise<readonly string[]>;
}

export function isErased(reading: ArtifactReading): reading is Extract<ArtifactReading, { erased: true }> {
  return 'erased' in reading;
}
