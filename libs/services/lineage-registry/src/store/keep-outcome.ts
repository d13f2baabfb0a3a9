import type { PoolClient } from 'pg';
import { keptOutcome, outcomeText, type KeptOutcome, type Outcome } from './outcome.js';

export type CommandKey = {
  readonly tenantId: string;
  /** A command id is its stream's. */
  readonly stream: string;
  /** Absent: nothing is kept, and nothing found. */
  readonly commandId: string | undefined;
};

const FIND = `SELECT outcome FROM lineage_registry.commands
WHERE tenant_id = $1 AND stream = $2 AND command_id = $3`;

const KEEP = `INSERT INTO lineage_registry.commands (tenant_id, stream, command_id, outcome, recorded_at)
VALUES ($1, $2, $3, $4::json, clock_timestamp()) ON CONFLICT DO NOTHING`;

/** What the command came to when it came first; undefined where it has not come yet. */
export async function findOutcome<Answer extends object>(
  client: Pick<PoolClient, 'query'>,
  { tenantId, stream, commandId }: CommandKey,
): Promise<Outcome<Answer> | undefined> {
  if (commandId === undefined) return undefined;
  const { rows } = await client.query<{ outcome: KeptOutcome }>(FIND, [tenantId, stream, commandId]);
  return rows[0] && keptOutcome<Answer>(rows[0].outcome);
}

/** False where the command has an outcome already: that one counts. Waits for a transaction that has just kept one. */
export async function keepOutcome(
  client: PoolClient,
  { tenantId, stream, commandId }: CommandKey,
  outcome: Outcome<object>,
): Promise<boolean> {
  if (commandId === undefined) return true;
  const { rowCount } = await client.query(KEEP, [tenantId, stream, commandId, outcomeText(outcome)]);
  return rowCount === 1;
}
