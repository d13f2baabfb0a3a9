import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { ModelUsage } from '@palimpsest/kernel';
import type { Pool, QueryResult, QueryResultRow } from 'pg';
import type {
  Claim,
  ClaimRequest,
  InvocationStore,
  KeptAnswer,
  KeptCall,
  Settlement,
} from '../invocations/invocation-store.js';
import type { RunKey } from '../orchestrator-ports.js';

const CLAIM = `INSERT INTO orchestrator.model_invocations AS invocation
    (tenant_id, run_id, invocation_id, node_id, owner, leased_until, created_at, ordinal, provider, model)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (tenant_id, run_id, invocation_id) DO UPDATE
  SET owner = excluded.owner, leased_until = excluded.leased_until,
    ordinal = excluded.ordinal, provider = excluded.provider, model = excluded.model
  WHERE invocation.answer IS NULL AND (
    invocation.leased_until IS NULL OR invocation.leased_until <= $7 OR invocation.owner = excluded.owner
  )`;

const KEY = 'tenant_id = $1 AND run_id = $2 AND invocation_id = $3';

const READ = `SELECT answer, usages, cache_key FROM orchestrator.model_invocations WHERE ${KEY}`;

const RENEW = `UPDATE orchestrator.model_invocations SET leased_until = $5 WHERE ${KEY} AND owner = $4`;

/** In one statement: whoever lost the claim meanwhile was billed all the same. */
const SETTLE = `UPDATE orchestrator.model_invocations SET
    usages = usages || $5::jsonb,
    cache_key = CASE WHEN answer IS NULL AND $6::jsonb IS NOT NULL THEN $7 ELSE cache_key END,
    answer = coalesce(answer, $6::jsonb),
    leased_until = CASE WHEN owner = $4 THEN NULL ELSE leased_until END,
    owner = CASE WHEN owner = $4 THEN NULL ELSE owner END
  WHERE ${KEY} RETURNING answer, usages`;

const KEPT_CALLS = `SELECT node_id AS "nodeId", ordinal, provider, model, cache_key AS "cacheKey"
  FROM orchestrator.model_invocations
  WHERE tenant_id = $1 AND run_id = $2 AND answer IS NOT NULL AND cache_key IS NOT NULL`;

const PURGE = `DELETE FROM orchestrator.model_invocations WHERE ctid IN (
    SELECT ctid FROM orchestrator.model_invocations WHERE created_at < $1 ORDER BY created_at LIMIT $2
  )`;

type Row = {
  readonly answer: KeptAnswer | null;
  readonly usages: readonly ModelUsage[];
  readonly cache_key: string | null;
};

export class PostgresInvocationStore implements InvocationStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async claim(request: ClaimRequest): Promise<Claim> {
    const { tenantId, runId, invocationId, nodeId, ordinal, name, owner, now, until } = request;
    const key = [tenantId, runId, invocationId];
    const place = [ordinal, name.provider, name.model];
    const claimed = await this.#query(CLAIM, [...key, nodeId, owner, until, now, ...place]);
    if (claimed.rowCount === 1) return { kind: 'claimed' };
    const { answer, usages, cache_key: cacheKey } = (await this.#query<Row>(READ, key)).rows[0] ?? {};
    if (!answer || !usages) return { kind: 'taken' };
    return { kind: 'answered', answer, usages, ...(cacheKey != null && { cacheKey }) };
  }

  async renew(request: Parameters<InvocationStore['renew']>[0]): Promise<boolean> {
    const { tenantId, runId, invocationId, owner, until } = request;
    return (await this.#query(RENEW, [tenantId, runId, invocationId, owner, until])).rowCount === 1;
  }

  async settle(settlement: Settlement): ReturnType<InvocationStore['settle']> {
    const { tenantId, runId, invocationId, owner, usages, answer, cacheKey = null } = settlement;
    const values = [JSON.stringify(usages), answer ? JSON.stringify(answer) : null, cacheKey];
    const { rows } = await this.#query<Row>(SETTLE, [tenantId, runId, invocationId, owner, ...values]);
    const [row] = rows;
    const kept = row ? row.answer : answer;
    return { usages: row?.usages ?? usages, ...(kept && { answer: kept }) };
  }

  async keptCalls({ tenantId, runId }: RunKey): Promise<readonly KeptCall[]> {
    return (await this.#query<KeptCall>(KEPT_CALLS, [tenantId, runId])).rows;
  }

  async purge(before: Date, limit: number): Promise<number> {
    return (await this.#query(PURGE, [before, limit])).rowCount ?? 0;
  }

  #query<QueryRow extends QueryResultRow>(
    sql: string,
    values: readonly unknown[],
  ): Promise<QueryResult<QueryRow>> {
    return withDatabaseErrors(() => this.#pool.query<QueryRow>(sql, [...values]));
  }
}
