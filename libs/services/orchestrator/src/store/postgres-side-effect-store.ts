import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { CountSideEffects } from '@palimpsest/contracts';
import type { Pool } from 'pg';
import type { SideEffectStore } from '../side-effects/side-effect-store.js';

/** Who comes again under one invocation id changes nothing, as with a provider that takes idempotency keys. */
const PERFORM = `INSERT INTO orchestrator.side_effects (tenant_id, node_id, invocation_id, run_id)
  VALUES ($1, $2, $3, $4) ON CONFLICT (tenant_id, node_id, invocation_id) DO NOTHING`;

const COUNT = `SELECT count(*)::integer AS count FROM orchestrator.side_effects
  WHERE tenant_id = $1 AND node_id = $2`;

export class PostgresSideEffectStore implements SideEffectStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async perform(invocation: Parameters<SideEffectStore['perform']>[0]): Promise<void> {
    const { tenantId, nodeId, invocationId, runId } = invocation;
    await withDatabaseErrors(() => this.#pool.query(PERFORM, [tenantId, nodeId, invocationId, runId]));
  }

  async count({ tenantId, nodeId }: CountSideEffects): Promise<number> {
    const { rows } = await withDatabaseErrors(() =>
      this.#pool.query<{ readonly count: number }>(COUNT, [tenantId, nodeId]),
    );
    return rows[0]?.count ?? 0;
  }
}
