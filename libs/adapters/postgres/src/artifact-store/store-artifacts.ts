import type { Pool, PoolClient } from 'pg';
import type { SealedArtifact } from '@palimpsest/kernel';
import { BESIDE_ERASURE } from './erasure-lock.js';

/**
 * The contents travel as one block that the statement cuts up: an array of bytea would be sent as hex text.
 * Rows go in by id, artifacts before links (the last condition holds the links back), so that puts which race
 * wait for each other and never in a circle: the lock on erasure is the first that each takes. What the run gave up before
 * is its own again.
 */
const STORE = `
WITH ${BESIDE_ERASURE}, given AS (
  SELECT artifact_id, type,
    substring($5::bytea FROM start FOR size) AS content,
    substring($6::bytea FROM (32 * (place - 1) + 1)::int FOR 32) AS sha256
  FROM beside_erasure, unnest($2::text[], $3::text[], $4::int[], $7::int[]) WITH ORDINALITY
    AS given(artifact_id, type, start, size, place)
), stored AS (
  INSERT INTO artifact_store.artifacts (tenant_id, artifact_id, type, content, sha256)
  SELECT $1, artifact_id, type, content, sha256 FROM given ORDER BY artifact_id COLLATE "C"
  ON CONFLICT DO NOTHING
  RETURNING artifact_id
)
INSERT INTO artifact_store.run_links (tenant_id, run_id, artifact_id)
SELECT $1, $8, linked FROM unnest($9::text[]) AS linked
WHERE (SELECT count(*) FROM stored) >= 0
ORDER BY linked COLLATE "C"
ON CONFLICT (tenant_id, run_id, artifact_id) DO UPDATE SET given_up_at = NULL
WHERE run_links.given_up_at IS NOT NULL`;

/** Content of one statement: enough to make a batch one statement, little enough to hold in memory. */
const STATEMENT_BYTES = 4 * 1024 * 1024;

export type StoreStatement = { readonly text: string; readonly values: readonly unknown[] };

/**
 * The statements that store artifacts and link them to their run; nearly always one. Several are one put only
 * inside a transaction: the links come with the last.
 */
export function storeStatements(
  tenantId: string,
  runId: string,
  sealed: readonly SealedArtifact[],
): readonly StoreStatement[] {
  const distinct = [...new Map(sealed.map((artifact) => [artifact.artifactId, artifact])).values()];
  const ordered = distinct.sort((left, right) => (left.artifactId < right.artifactId ? -1 : 1));
  const batches = batchesOf(ordered);
  const links = ordered.map((artifact) => artifact.artifactId);
  return batches.map((batch, index) => ({
    text: STORE,
    values: valuesOf(batch, { tenantId, runId, links: index === batches.length - 1 ? links : [] }),
  }));
}

export async function storeArtifacts(
  client: Pool | PoolClient,
  statements: readonly StoreStatement[],
): Promise<void> {
  for (const { text, values } of statements) await client.query(text, [...values]);
}

function batchesOf(artifacts: readonly SealedArtifact[]): readonly (readonly SealedArtifact[])[] {
  const batches: SealedArtifact[][] = [];
  let room = 0;
  for (const artifact of artifacts) {
    if (artifact.bytes.length > room || batches.length === 0) {
      batches.push([]);
      room = STATEMENT_BYTES;
    }
    batches.at(-1)?.push(artifact);
    room -= artifact.bytes.length;
  }
  return batches;
}

type Scope = { readonly tenantId: string; readonly runId: string; readonly links: readonly string[] };

function valuesOf(batch: readonly SealedArtifact[], { tenantId, runId, links }: Scope): readonly unknown[] {
  let end = 1;
  const starts = batch.map(({ bytes }) => (end += bytes.length) - bytes.length);
  return [
    tenantId,
    batch.map((artifact) => artifact.artifactId),
    batch.map((artifact) => artifact.type),
    starts,
    Buffer.concat(batch.map((artifact) => artifact.bytes)),
    Buffer.concat(batch.map((artifact) => artifact.sha256)),
    batch.map((artifact) => artifact.bytes.length),
    runId,
    links,
  ];
}
