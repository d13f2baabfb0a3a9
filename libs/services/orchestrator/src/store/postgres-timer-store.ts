import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { Pool, QueryResultRow } from 'pg';
import type { RunKey } from '../orchestrator-ports.js';
import type { Timer, TimerStore } from '../timers/timer-store.js';

const SET = `INSERT INTO orchestrator.timers AS timer (tenant_id, run_id, head, due_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (tenant_id, run_id) DO UPDATE
  SET head = excluded.head, due_at = excluded.due_at, claimed_until = NULL
  WHERE timer.head <= excluded.head`;

const CLEAR =
  'DELETE FROM orchestrator.timers WHERE tenant_id = $1 AND run_id = $2 AND head <= coalesce($3, head)';

/** `SKIP LOCKED`: several instances share what is due instead of waiting for each other. */
const CLAIM = `WITH due AS (
    SELECT tenant_id, run_id FROM orchestrator.timers
    WHERE due_at <= $1 AND (claimed_until IS NULL OR claimed_until <= $1)
    ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  UPDATE orchestrator.timers AS timer SET claimed_until = $2 FROM due
  WHERE timer.tenant_id = due.tenant_id AND timer.run_id = due.run_id
  RETURNING timer.tenant_id AS "tenantId", timer.run_id AS "runId", timer.head, timer.due_at AS "dueAt"`;

const EXTEND = `UPDATE orchestrator.timers SET claimed_until = $4
  WHERE tenant_id = $1 AND run_id = $2 AND head = $3 AND claimed_until IS NOT NULL`;

const NEXT_DUE = `SELECT min(greatest(due_at, claimed_until)) AS at FROM orchestrator.timers
  WHERE due_at <= $1 AND (claimed_until IS NULL OR claimed_until <= $1)`;

export class PostgresTimerStore implements TimerStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async set({ tenantId, runId, head, dueAt }: Timer): Promise<void> {
    await this.#rows(SET, [tenantId, runId, head, dueAt]);
  }

  async clear({ tenantId, runId }: RunKey, head?: number): Promise<void> {
    await this.#rows(CLEAR, [tenantId, runId, head ?? null]);
  }

  async claimDue({
    now,
    claimedUntil,
    limit,
  }: Parameters<TimerStore['claimDue']>[0]): Promise<readonly Timer[]> {
    const rows = await this.#rows<Timer>(CLAIM, [now, claimedUntil, limit]);
    return [...rows].sort((left, right) => left.dueAt.getTime() - right.dueAt.getTime());
  }

  async extendClaim({ tenantId, runId, head }: Timer, claimedUntil: Date): Promise<void> {
    await this.#rows(EXTEND, [tenantId, runId, head, claimedUntil]);
  }

  async nextDue(horizon: Date): Promise<Date | undefined> {
    return (await this.#rows<{ readonly at: Date | null }>(NEXT_DUE, [horizon]))[0]?.at ?? undefined;
  }

  async #rows<Row extends QueryResultRow>(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return (await withDatabaseErrors(() => this.#pool.query<Row>(sql, [...values]))).rows;
  }
}
