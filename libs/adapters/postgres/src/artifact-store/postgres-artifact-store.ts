import type { Pool } from 'pg';
import {
  checkScope,
  isReadableScope,
  readableIds,
  sealArtifacts,
  unreadableAmong,
  type ArtifactReading,
  type ArtifactReference,
  type ArtifactStore,
  type NewArtifact,
  type RunErasure,
  type SealedArtifact,
} from '@palimpsest/kernel';
import { withDatabaseErrors } from '../connection/database-errors.js';
import { erasedSources, recordDerivations } from './derive-artifacts.js';
import { eraseArtifacts } from './erase-artifacts.js';
import { erasedOf, eraseRun } from './erase-run.js';
import { lockErasure } from './erasure-lock.js';
import { findUnreadable } from './find-unreadable.js';
import { inTransaction } from './in-transaction.js';
import { linkFork } from './link-fork.js';
import { nodeContentHash } from './node-content-hash.js';
import { readArtifactForRun, readArtifacts, refersToArtifact } from './read-artifacts.js';
import { storeArtifacts, storeStatements, type StoreStatement } from './store-artifacts.js';
import { TenantKeys } from './tenant-keys.js';

export type PostgresArtifactStoreOptions = {
  /** 32 bytes; random by default. */
  readonly newTenantKey?: (tenantId: string) => Uint8Array;
};

/** Content in the schema `artifact_store`. The pool is the caller's. */
export class PostgresArtifactStore implements ArtifactStore {
  private readonly keys: TenantKeys;

  constructor(
    private readonly pool: Pool,
    options: PostgresArtifactStoreOptions = {},
  ) {
    this.keys = new TenantKeys(pool, options.newTenantKey);
  }

  put(tenantId: string, runId: string, artifacts: readonly NewArtifact[]): Promise<readonly string[]> {
    return withDatabaseErrors(async () => {
      checkScope(tenantId, runId);
      if (artifacts.length === 0) return [];
      const sealed = sealArtifacts(nodeContentHash, await this.keys.keyOf(tenantId), artifacts);
      const statements = storeStatements(tenantId, runId, sealed);
      if (sealed.some((artifact) => artifact.derivedFrom.length > 0))
        await this.putDerived(tenantId, sealed, statements);
      else if (statements.length === 1) await storeArtifacts(this.pool, statements);
      else await inTransaction(this.pool, (client) => storeArtifacts(client, statements));
      return sealed.map((artifact) => artifact.artifactId);
    });
  }

  get(tenantId: string, artifactIds: readonly string[]): Promise<ReadonlyMap<string, ArtifactReading>> {
    const asked = isReadableScope(tenantId) ? readableIds(artifactIds) : [];
    return withDatabaseErrors(() => readArtifacts(this.pool, tenantId, asked));
  }

  async getForRun(tenantId: string, runId: string, artifactId: string): Promise<ArtifactReading | undefined> {
    const [asked] = isReadableScope(tenantId, runId) ? readableIds([artifactId]) : [];
    if (!asked) return undefined;
    return withDatabaseErrors(() => readArtifactForRun(this.pool, { tenantId, runId }, asked));
  }

  async refersTo(tenantId: string, runId: string, artifactId: string): Promise<boolean> {
    const [asked] = isReadableScope(tenantId, runId) ? readableIds([artifactId]) : [];
    if (!asked) return false;
    return withDatabaseErrors(() => refersToArtifact(this.pool, { tenantId, runId }, asked));
  }

  unreadable(tenantId: string, references: readonly ArtifactReference[]): Promise<readonly string[]> {
    return withDatabaseErrors(() =>
      unreadableAmong(tenantId, references, (batch) => findUnreadable(this.pool, tenantId, batch)),
    );
  }

  async linkFork(tenantId: string, forkRunId: string, sourceRunId: string): Promise<void> {
    checkScope(tenantId, forkRunId, sourceRunId);
    await withDatabaseErrors(() => linkFork(this.pool, { tenantId, forkRunId, sourceRunId }));
  }

  async erase(tenantId: string, artifactId: string): Promise<readonly string[]> {
    const asked = isReadableScope(tenantId) ? readableIds([artifactId]) : [];
    if (asked.length === 0) return [];
    return withDatabaseErrors(() =>
      inTransaction(this.pool, async (client) => {
        await lockErasure(client, tenantId, 'erasing');
        return eraseArtifacts(client, tenantId, asked);
      }),
    );
  }

  async eraseRun(tenantId: string, runId: string): Promise<RunErasure> {
    if (!isReadableScope(tenantId, runId)) return { erased: 0, kept: 0 };
    return withDatabaseErrors(() =>
      inTransaction(this.pool, async (client) => {
        await lockErasure(client, tenantId, 'erasing');
        return eraseRun(client, tenantId, runId);
      }),
    );
  }

  async erasedOf(tenantId: string, runId: string): Promise<readonly string[]> {
    if (!isReadableScope(tenantId, runId)) return [];
    return withDatabaseErrors(() => erasedOf(this.pool, tenantId, runId));
  }

  /** A shared lock cannot be made exclusive without a deadlock: an erased source, which is rare, starts over. */
  private async putDerived(
    tenantId: string,
    sealed: readonly SealedArtifact[],
    statements: readonly StoreStatement[],
  ): Promise<void> {
    const attempt = (as: 'deriving' | 'erasing') =>
      inTransaction(this.pool, async (client) => {
        await lockErasure(client, tenantId, as);
        const erased = await erasedSources(client, tenantId, sealed);
        if (erased.length > 0 && as === 'deriving') return 'erase-too';
        await storeArtifacts(client, statements);
        await recordDerivations(client, tenantId, sealed);
        if (erased.length > 0) await eraseArtifacts(client, tenantId, erased);
        return 'done';
      });
    if ((await attempt('deriving')) === 'erase-too') await attempt('erasing');
  }
}
