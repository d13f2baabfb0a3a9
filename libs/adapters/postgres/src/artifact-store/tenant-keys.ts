import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';

const MAKE_KEY = `
INSERT INTO artifact_store.tenant_keys (tenant_id, artifact_key) VALUES ($1, $2) ON CONFLICT DO NOTHING`;

const READ_KEY = `SELECT artifact_key FROM artifact_store.tenant_keys WHERE tenant_id = $1`;

type KeyRow = { readonly artifact_key: Uint8Array };

/** The tenants' artifact keys: made at first use, never changed, so that one read each is enough. */
export class TenantKeys {
  private readonly cached = new Map<string, Promise<Uint8Array>>();

  constructor(
    private readonly pool: Pool,
    private readonly newKey: (tenantId: string) => Uint8Array = () => randomBytes(32),
  ) {}

  keyOf(tenantId: string): Promise<Uint8Array> {
    const cached = this.cached.get(tenantId);
    if (cached) return cached;
    const loading = this.load(tenantId);
    this.cached.set(tenantId, loading);
    // A failure must not be remembered; whoever asked still gets it.
    loading.catch(() => this.cached.delete(tenantId));
    return loading;
  }

  /** Instances race to make a key: the first insert stands, and everybody reads that one. */
  private async load(tenantId: string): Promise<Uint8Array> {
    const existing = await this.read(tenantId);
    if (existing) return existing;
    const fresh = this.newKey(tenantId);
    await this.pool.query(MAKE_KEY, [tenantId, fresh]);
    return (await this.read(tenantId)) ?? fresh;
  }

  private async read(tenantId: string): Promise<Uint8Array | undefined> {
    const { rows } = await this.pool.query<KeyRow>(READ_KEY, [tenantId]);
    return rows[0]?.artifact_key;
  }
}
