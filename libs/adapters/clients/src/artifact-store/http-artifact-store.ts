import type { Readable } from 'node:stream';
import { json, text } from 'node:stream/consumers';
import { ARTIFACT_ROUTES, ARTIFACT_TRANSFER } from '@palimpsest/contracts';
import {
  checkScope,
  encodeArtifact,
  isReadableScope,
  readableIds,
  TerminalError,
  unreadableAmong,
  type ArtifactReading,
  type ArtifactReference,
  type ArtifactStore,
  type EncodedArtifact,
  type NewArtifact,
  type RunErasure,
} from '@palimpsest/kernel';
import { ArtifactConnection, type ArtifactConnectionOptions } from './artifact-connection.js';
import { putBatches, putBody, readingsOf } from './transfer-lines.js';

/** Ids of one read. */
const READ_BATCH = 500;

/**
 * The artifact store of another process, over its internal listener. Checks what it sends as the store does, so
 * that nothing is sent in vain. A put above 1000 artifacts or 32 MiB is several, each whole or not at all.
 */
export class HttpArtifactStore implements ArtifactStore {
  private readonly connection: ArtifactConnection;

  constructor(options: ArtifactConnectionOptions) {
    this.connection = new ArtifactConnection(options);
  }

  async put(tenantId: string, runId: string, artifacts: readonly NewArtifact[]): Promise<readonly string[]> {
    checkScope(tenantId, runId);
    const path = pathOf(ARTIFACT_ROUTES.put, { tenantId, runId });
    const ids: string[] = [];
    for (const batch of putBatches(artifacts.map(encodeArtifact)))
      ids.push(...(await this.putBatch(path, batch)));
    return ids;
  }

  async get(tenantId: string, artifactIds: readonly string[]): Promise<ReadonlyMap<string, ArtifactReading>> {
    const asked = isReadableScope(tenantId) ? readableIds(artifactIds) : [];
    const found = new Map<string, ArtifactReading>();
    for (let start = 0; start < asked.length; start += READ_BATCH) {
      const body = JSON.stringify({ artifactIds: asked.slice(start, start + READ_BATCH) });
      const readings = await this.connection.ask(
        {
          method: 'POST',
          path: pathOf(ARTIFACT_ROUTES.read, { tenantId }),
          mediaType: 'application/json',
          body: () => body,
        },
        readingsOf,
      );
      for (const reading of readings) found.set(reading.artifactId, reading);
    }
    return found;
  }

  async getForRun(tenantId: string, runId: string, artifactId: string): Promise<ArtifactReading | undefined> {
    if (!isReadableScope(tenantId, runId) || readableIds([artifactId]).length === 0) return undefined;
    const path = pathOf(ARTIFACT_ROUTES.readForRun, { tenantId, runId, artifactId });
    const [reading] = await this.connection.ask({ method: 'GET', path }, readingsOf);
    return reading;
  }

  async refersTo(tenantId: string, runId: string, artifactId: string): Promise<boolean> {
    if (!isReadableScope(tenantId, runId) || readableIds([artifactId]).length === 0) return false;
    const path = pathOf(ARTIFACT_ROUTES.refersTo, { tenantId, runId, artifactId });
    return this.connection.ask({ method: 'GET', path }, referenceOf);
  }

  unreadable(tenantId: string, references: readonly ArtifactReference[]): Promise<readonly string[]> {
    const path = pathOf(ARTIFACT_ROUTES.unreadable, { tenantId });
    return unreadableAmong(tenantId, references, (batch) => {
      const body = JSON.stringify({ artifacts: batch.map(({ artifactId, type }) => ({ artifactId, type })) });
      const question = { method: 'POST', path, mediaType: 'application/json', body: () => body } as const;
      return this.connection.ask(question, artifactIdsOf);
    });
  }

  async linkFork(tenantId: string, forkRunId: string, sourceRunId: string): Promise<void> {
    checkScope(tenantId, forkRunId, sourceRunId);
    const path = pathOf(ARTIFACT_ROUTES.linkFork, { tenantId, runId: forkRunId, sourceRunId });
    await this.connection.ask({ method: 'PUT', path }, drained);
  }

  async erase(tenantId: string, artifactId: string): Promise<readonly string[]> {
    if (!isReadableScope(tenantId) || readableIds([artifactId]).length === 0) return [];
    const path = pathOf(ARTIFACT_ROUTES.erase, { tenantId, artifactId });
    return this.connection.ask({ method: 'DELETE', path }, artifactIdsOf);
  }

  async eraseRun(tenantId: string, runId: string): Promise<RunErasure> {
    if (!isReadableScope(tenantId, runId)) return { erased: 0, kept: 0 };
    const path = pathOf(ARTIFACT_ROUTES.eraseRun, { tenantId, runId });
    return this.connection.ask({ method: 'DELETE', path }, erasureOf);
  }

  async erasedOf(tenantId: string, runId: string): Promise<readonly string[]> {
    if (!isReadableScope(tenantId, runId)) return [];
    const path = pathOf(ARTIFACT_ROUTES.erasedOf, { tenantId, runId });
    return this.connection.ask({ method: 'GET', path }, artifactIdsOf);
  }

  /** Waits for requests at work and closes the connections. */
  close(): Promise<void> {
    return this.connection.close();
  }

  private async putBatch(path: string, batch: readonly EncodedArtifact[]): Promise<readonly string[]> {
    const { mediaType } = ARTIFACT_TRANSFER;
    const ids = await this.connection.ask(
      { method: 'POST', path, mediaType, body: () => putBody(batch) },
      artifactIdsOf,
    );
    if (ids.length !== batch.length) throw strangeAnswer();
    return ids;
  }
}

function pathOf(route: string, parameters: Readonly<Record<string, string>>): string {
  return route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}

async function artifactIdsOf(body: Readable): Promise<readonly string[]> {
  const { artifactIds } = (await json(body)) as { readonly artifactIds?: unknown };
  if (!Array.isArray(artifactIds)) throw strangeAnswer();
  return artifactIds.map(String);
}

async function referenceOf(body: Readable): Promise<boolean> {
  const { refers } = (await json(body)) as { readonly refers?: unknown };
  if (typeof refers !== 'boolean') throw strangeAnswer();
  return refers;
}

async function erasureOf(body: Readable): Promise<RunErasure> {
  const { erased, kept } = (await json(body)) as { readonly [name: string]: unknown };
  if (typeof erased !== 'number' || typeof kept !== 'number') throw strangeAnswer();
  return { erased, kept };
}

async function drained(body: Readable): Promise<void> {
  await text(body);
}

function strangeAnswer(): TerminalError {
  return new TerminalError('internal_error', 'The artifact store gave an answer that is not its own.');
}
