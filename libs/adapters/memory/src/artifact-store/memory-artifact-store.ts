import { randomBytes } from 'node:crypto';
import {
  checkScope,
  isArtifactCorrupt,
  isErased,
  openArtifact,
  readableIds,
  sealArtifacts,
  systemClock,
  type ArtifactReading,
  type ArtifactReference,
  type ArtifactStore,
  type Clock,
  type NewArtifact,
  type RunErasure,
} from '@palimpsest/kernel';
import { nodeContentHash } from './node-content-hash.js';
import { TenantShelf } from './tenant-shelf.js';

export type MemoryArtifactStoreOptions = {
  readonly clock?: Clock;
  /** 32 bytes; random by default. */
  readonly newTenantKey?: (tenantId: string) => Uint8Array;
};

/** The twin of the Postgres adapter: same ids for the same key, same refusals, nothing kept past the process. */
export class MemoryArtifactStore implements ArtifactStore {
  private readonly shelves = new Map<string, TenantShelf>();
  private readonly keys = new Map<string, Uint8Array>();
  private readonly clock: Clock;
  private readonly newTenantKey: (tenantId: string) => Uint8Array;

  constructor({ clock, newTenantKey }: MemoryArtifactStoreOptions = {}) {
    this.clock = clock ?? systemClock;
    this.newTenantKey = newTenantKey ?? (() => randomBytes(32));
  }

  async put(tenantId: string, runId: string, artifacts: readonly NewArtifact[]): Promise<readonly string[]> {
    checkScope(tenantId, runId);
    const sealed = sealArtifacts(nodeContentHash, this.keyOf(tenantId), artifacts);
    this.shelfOf(tenantId).put(runId, sealed, this.clock.now());
    return sealed.map((artifact) => artifact.artifactId);
  }

  async get(tenantId: string, artifactIds: readonly string[]): Promise<ReadonlyMap<string, ArtifactReading>> {
    const found = new Map<string, ArtifactReading>();
    for (const artifactId of readableIds(artifactIds)) {
      const reading = this.read(tenantId, artifactId);
      if (reading) found.set(artifactId, reading);
    }
    return found;
  }

  async getForRun(tenantId: string, runId: string, artifactId: string): Promise<ArtifactReading | undefined> {
    if (!(await this.refersTo(tenantId, runId, artifactId))) return undefined;
    return this.read(tenantId, artifactId);
  }

  async refersTo(tenantId: string, runId: string, artifactId: string): Promise<boolean> {
    return this.shelves.get(tenantId)?.refersTo(runId, artifactId) ?? false;
  }

  async unreadable(tenantId: string, references: readonly ArtifactReference[]): Promise<readonly string[]> {
    const unreadable = references.filter((reference) => !this.isReadable(tenantId, reference));
    return [...new Set(unreadable.map(({ artifactId }) => artifactId))];
  }

  async linkFork(tenantId: string, forkRunId: string, sourceRunId: string): Promise<void> {
    checkScope(tenantId, forkRunId, sourceRunId);
    this.shelfOf(tenantId).linkFork(forkRunId, sourceRunId);
  }

  async erase(tenantId: string, artifactId: string): Promise<readonly string[]> {
    return this.shelves.get(tenantId)?.erase(artifactId) ?? [];
  }

  async eraseRun(tenantId: string, runId: string): Promise<RunErasure> {
    return this.shelves.get(tenantId)?.eraseRun(runId) ?? { erased: 0, kept: 0 };
  }

  async erasedOf(tenantId: string, runId: string): Promise<readonly string[]> {
    return this.shelves.get(tenantId)?.erasedOf(runId) ?? [];
  }

  /** For tests: changes one byte of what is stored. */
  damage(tenantId: string, artifactId: string): void {
    const bytes = this.shelves.get(tenantId)?.artifacts.get(artifactId)?.content?.bytes;
    if (bytes) bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 1;
  }

  private read(tenantId: string, artifactId: string): ArtifactReading | undefined {
    const shelved = this.shelves.get(tenantId)?.artifacts.get(artifactId);
    if (!shelved) return undefined;
    const { content, type, createdAt } = shelved;
    if (!content) return { artifactId, erased: true };
    return openArtifact(nodeContentHash, { artifactId, type, createdAt, ...content });
  }

  private isReadable(tenantId: string, { artifactId, type }: ArtifactReference): boolean {
    try {
      const reading = this.read(tenantId, artifactId);
      return reading !== undefined && !isErased(reading) && reading.type === type;
    } catch (error) {
      if (isArtifactCorrupt(error)) return false;
      throw error;
    }
  }

  private shelfOf(tenantId: string): TenantShelf {
    const shelf = this.shelves.get(tenantId) ?? new TenantShelf();
    this.shelves.set(tenantId, shelf);
    return shelf;
  }

  private keyOf(tenantId: string): Uint8Array {
    const key = this.keys.get(tenantId) ?? this.newTenantKey(tenantId);
    this.keys.set(tenantId, key);
    return key;
  }
}
