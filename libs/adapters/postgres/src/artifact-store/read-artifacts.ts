import type { ArtifactType } from '@palimpsest/contracts';
import type { Pool } from 'pg';
import { openArtifact, type ArtifactReading } from '@palimpsest/kernel';
import { ANCESTRY } from './ancestry.js';
import { nodeContentHash } from './node-content-hash.js';

const READ = `
SELECT artifact_id, type, content, sha256, created_at FROM artifact_store.artifacts
WHERE tenant_id = $1 AND artifact_id = ANY ($2::text[])`;

const IS_REFERRED_TO = `EXISTS (
  SELECT FROM ancestry JOIN artifact_store.run_links USING (run_id)
  WHERE run_links.tenant_id = $1 AND run_links.artifact_id = $3
)`;

const READ_FOR_RUN = `
WITH RECURSIVE ${ANCESTRY}
SELECT artifact_id, type, content, sha256, created_at FROM artifact_store.artifacts
WHERE tenant_id = $1 AND artifact_id = $3 AND ${IS_REFERRED_TO}`;

const REFERS_TO = `
WITH RECURSIVE ${ANCESTRY}
SELECT ${IS_REFERRED_TO} AS refers`;

/** Ids of one statement. */
const READ_BATCH = 500;

type ArtifactRow = {
  readonly artifact_id: string;
  readonly type: ArtifactType;
  readonly created_at: Date;
} & (
  | { readonly content: Uint8Array; readonly sha256: Uint8Array }
  | { readonly content: null; readonly sha256: null }
);

/** In the order asked; what is absent is left out. */
export async function readArtifacts(
  pool: Pool,
  tenantId: string,
  artifactIds: readonly string[],
): Promise<ReadonlyMap<string, ArtifactReading>> {
  const found = new Map<string, ArtifactReading>();
  for (let start = 0; start < artifactIds.length; start += READ_BATCH) {
    const asked = artifactIds.slice(start, start + READ_BATCH);
    const { rows } = await pool.query<ArtifactRow>(READ, [tenantId, asked]);
    const readings = rows.map(readingOf);
    const byId = new Map(readings.map((reading) => [reading.artifactId, reading]));
    for (const id of asked) {
      const reading = byId.get(id);
      if (reading) found.set(id, reading);
    }
  }
  return found;
}

type RunPlace = { readonly tenantId: string; readonly runId: string };

export async function readArtifactForRun(
  pool: Pool,
  place: RunPlace,
  artifactId: string,
): Promise<ArtifactReading | undefined> {
  const { rows } = await pool.query<ArtifactRow>(READ_FOR_RUN, [place.tenantId, place.runId, artifactId]);
  return rows[0] && readingOf(rows[0]);
}

export async function refersToArtifact(
  pool: Pool,
  { tenantId, runId }: RunPlace,
  artifactId: string,
): Promise<boolean> {
  const { rows } = await pool.query<{ refers: boolean }>(REFERS_TO, [tenantId, runId, artifactId]);
  return rows[0]?.refers ?? false;
}

function readingOf(row: ArtifactRow): ArtifactReading {
  const { artifact_id: artifactId, type, created_at: createdAt } = row;
  if (row.content === null) return { artifactId, erased: true };
  return openArtifact(nodeContentHash, {
    artifactId,
    type,
    createdAt,
    bytes: row.content,
    sha256: row.sha256,
  });
}
