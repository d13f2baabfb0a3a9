import { sql, type Kysely } from 'kysely';
import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { GatewayTables } from './tables.js';

/** What one run at a time may have; an empty scope: none. */
export type ActivePlace = {
  readonly tenantId: string;
  readonly workflowId: string;
  readonly scopeId: string;
};

export type ActiveHolder = {
  readonly runId: string;
  /** True where it was taken so recently that its run may still be in the making. */
  readonly young: boolean;
};

type Db = Kysely<GatewayTables>;

/** True where the place was free and is the run's now. */
export async function takePlace(db: Db, place: ActivePlace, runId: string): Promise<boolean> {
  const row = await withDatabaseErrors(() =>
    db
      .insertInto('gateway.active_runs')
      .values({
        tenant_id: place.tenantId,
        workflow_id: place.workflowId,
        scope_id: place.scopeId,
        run_id: runId,
      })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'workflow_id', 'scope_id']).doNothing())
      .returning('run_id')
      .executeTakeFirst(),
  );
  return row !== undefined;
}

/** `leaseMs`: how long a run may be in the making. */
export async function holderOf(
  db: Db,
  place: ActivePlace,
  leaseMs: number,
): Promise<ActiveHolder | undefined> {
  return withDatabaseErrors(() =>
    db
      .selectFrom('gateway.active_runs')
      .select([
        'run_id as runId',
        sql<boolean>`claimed_at > now() - ${leaseMs} * interval '1 millisecond'`.as('young'),
      ])
      .where('tenant_id', '=', place.tenantId)
      .where('workflow_id', '=', place.workflowId)
      .where('scope_id', '=', place.scopeId)
      .executeTakeFirst(),
  );
}

/** True where the place was still the old run's and is the new one's now. */
export async function takeOverPlace(
  db: Db,
  place: ActivePlace,
  runs: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await withDatabaseErrors(() =>
    db
      .updateTable('gateway.active_runs')
      .set({ run_id: runs.to, claimed_at: sql`now()`, checked_at: sql`now()` })
      .where('tenant_id', '=', place.tenantId)
      .where('workflow_id', '=', place.workflowId)
      .where('scope_id', '=', place.scopeId)
      .where('run_id', '=', runs.from)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

/** The place is free again, where it is still the run's. */
export async function leavePlace(db: Db, place: ActivePlace, runId: string): Promise<void> {
  await withDatabaseErrors(() =>
    db
      .deleteFrom('gateway.active_runs')
      .where('tenant_id', '=', place.tenantId)
      .where('workflow_id', '=', place.workflowId)
      .where('scope_id', '=', place.scopeId)
      .where('run_id', '=', runId)
      .execute(),
  );
}

const CHECK_AFTER_HOURS = 24;

/** Places not looked at for a day, the longest first; they count as looked at from now on. */
export async function placesToCheck(
  db: Db,
  limit: number,
): Promise<readonly (ActivePlace & { readonly runId: string })[]> {
  return withDatabaseErrors(() =>
    db
      .updateTable('gateway.active_runs')
      .set({ checked_at: sql`now()` })
      .where(
        sql<boolean>`(tenant_id, workflow_id, scope_id) IN (
          SELECT tenant_id, workflow_id, scope_id FROM gateway.active_runs
          WHERE checked_at < now() - ${CHECK_AFTER_HOURS} * interval '1 hour'
          ORDER BY checked_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
      )
      .returning([
        'tenant_id as tenantId',
        'workflow_id as workflowId',
        'scope_id as scopeId',
        'run_id as runId',
      ])
      .execute(),
  );
}
