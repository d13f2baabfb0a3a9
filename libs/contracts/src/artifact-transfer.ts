/**
 * How content crosses between services: HTTP on the artifact store's internal listener, bearer service token,
 * never the bus. A put's body and a read's answer are NDJSON, a line for each artifact.
 */
export const ARTIFACT_TRANSFER = {
  mediaType: 'application/x-ndjson',
  /** Most artifacts of one put, most ids of one read. */
  maxBatch: 1000,
  /** Most bytes of one put's body; what is larger is several puts. */
  maxBodyBytes: 64 * 1024 * 1024,
  /** Most bytes of one line: the largest artifact and what stands around it. */
  maxLineBytes: 17 * 1024 * 1024,
} as const;

/** Routes of the listener, with their parameters named. */
export const ARTIFACT_ROUTES = {
  /** POST, lines of {@link ArtifactPutLine}; answers `{ artifactIds }` in their order. */
  put: '/tenants/:tenantId/runs/:runId/artifacts',
  /** POST `{ artifactIds }`; answers lines of {@link ArtifactReadLine}. */
  read: '/tenants/:tenantId/artifact-reads',
  /** GET; answers lines of {@link ArtifactReadLine}, at most one reading. */
  readForRun: '/tenants/:tenantId/runs/:runId/artifacts/:artifactId',
  /** GET; answers `{ refers }`. */
  refersTo: '/tenants/:tenantId/runs/:runId/references/:artifactId',
  /** POST `{ artifacts }`, each `{ artifactId, type }`; answers `{ artifactIds }`. */
  unreadable: '/tenants/:tenantId/unreadable-artifacts',
  /** PUT; answers 204. */
  linkFork: '/tenants/:tenantId/runs/:runId/sources/:sourceRunId',
  /** DELETE; answers `{ artifactIds }`, those erased. */
  erase: '/tenants/:tenantId/artifacts/:artifactId',
  /** DELETE; answers `{ erased, kept }`, numbers of artifacts; erased by this request. */
  eraseRun: '/tenants/:tenantId/runs/:runId/artifacts',
  /** GET; answers `{ artifactIds }`. */
  erasedOf: '/tenants/:tenantId/runs/:runId/erased-artifacts',
} as const;

/** `type` and `content` are checked by the store. */
export type ArtifactPutLine = {
  readonly type: unknown;
  readonly origin?: unknown;
  readonly derivedFrom?: readonly unknown[];
  readonly content: unknown;
};

/**
 * A stream of readings ends with `end`, which tells it from one that was cut off, or with `error`, as its
 * status had been sent.
 */
export type ArtifactReadLine<Reading, Failure> =
  { readonly reading: Reading } | { readonly end: { readonly count: number } } | { readonly error: Failure };
