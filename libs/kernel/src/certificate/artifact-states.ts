import type { CertifiedArtifact } from '@palimpsest/contracts';
import { canonicalJson } from '../canonical-json.js';
import { isArtifactCorrupt } from '../errors/known-errors.js';
import type { ChainHash } from '../event-log/chain.js';
import { isErased, type ArtifactReading, type ArtifactStore } from '../ports/artifact-store.js';

/** Artifacts that are held at a time. */
const BATCH = 16;

type Asked = { readonly tenantId: string; readonly artifactIds: Iterable<string> };

/** The hash of each artifact's content as it is now, or why there is none; in the order asked, a few held at a time. */
export async function* artifactStates(
  ports: { readonly artifacts: Pick<ArtifactStore, 'get'>; readonly hash: ChainHash },
  { tenantId, artifactIds }: Asked,
): AsyncGenerator<CertifiedArtifact, void> {
  for (const batch of batchesOf(artifactIds)) {
    const readings = await readingsOf(ports.artifacts, tenantId, batch);
    for (const artifactId of batch) yield stateOf(ports.hash, artifactId, readings.get(artifactId));
  }
}

function* batchesOf(ids: Iterable<string>): Generator<readonly string[]> {
  let batch: string[] = [];
  for (const id of ids) {
    batch.push(id);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

type Reading = ArtifactReading | 'damaged';

/** A store refuses a batch for one that is damaged: then each is read by itself. */
async function readingsOf(
  store: Pick<ArtifactStore, 'get'>,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Reading>> {
  try {
    return await store.get(tenantId, ids);
  } catch (error) {
    if (!isArtifactCorrupt(error)) throw error;
    const [id] = ids;
    if (ids.length === 1 && id !== undefined) return new Map([[id, 'damaged']]);
    const apart = await Promise.all(ids.map((one) => readingsOf(store, tenantId, [one])));
    return new Map(apart.flatMap((readings) => [...readings]));
  }
}

function stateOf(hash: ChainHash, artifactId: string, reading: Reading | undefined): CertifiedArtifact {
  if (reading === undefined) return { artifactId, absent: 'missing' };
  if (reading === 'damaged') return { artifactId, absent: 'damaged' };
  if (isErased(reading)) return { artifactId, absent: 'erased' };
  return { artifactId, sha256: hash.sha256Hex(canonicalJson(reading.content)) };
}
