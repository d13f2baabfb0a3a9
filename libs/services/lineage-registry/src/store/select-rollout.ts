import type { Selection } from '@palimpsest/contracts/registry';
import type { PoolClient } from 'pg';
import { neverLeftOff, type FamilyRollout } from '../domain/rollout/rollout.js';
import type { SelectionDecision } from '../domain/rollout/select.js';
import { CLOCK_MS } from './database-clock.js';
import { insertTelemetry } from './insert-telemetry.js';
import { findOutcome, keepOutcome } from './keep-outcome.js';
import type { Outcome } from './outcome.js';
import { outcomeOf } from './outcome-of.js';
import { ROLLOUT_COLUMNS, rolloutOf, type RolloutRow } from './rollout-rows.js';
import type { RolloutSelectionRequest } from './rollout-store.js';
import { streamOfRollouts } from './stream-names.js';

export type DecideSelection = (rollout: FamilyRollout, now: number) => SelectionDecision;

const READ = `SELECT clock.now, ${ROLLOUT_COLUMNS} FROM (SELECT ${CLOCK_MS} AS now) AS clock
LEFT JOIN lineage_registry.rollouts ON tenant_id = $1 AND environment = $2 AND family = $3`;

type Row = { readonly now: number } & (RolloutRow | { readonly family: null });

/**
 * One selection in the client's transaction. It locks nothing: a change of the stage waits for no selection, and the event
 * bears the version that decided. Of two with one command id the second waits for the first.
 */
export async function selectInRollout(
  client: PoolClient,
  request: RolloutSelectionRequest,
  decide: DecideSelection,
): Promise<Outcome<Selection>> {
  const { tenantId, environment, family, commandId } = request;
  const command = { tenantId, stream: streamOfRollouts(environment), commandId };
  const kept = await findOutcome<Selection>(client, command);
  if (kept) return kept;
  const { rows } = await client.query<Row>(READ, [tenantId, environment, family]);
  const [row] = rows as [Row];
  const rollout = row.family === null ? neverLeftOff(family) : rolloutOf(row);
  const decided = outcomeOf(() => decide(rollout, row.now));
  const outcome = 'decided' in decided ? { answer: decided.decided.answer } : decided;
  const isFirst = await keepOutcome(client, command, outcome);
  if (!isFirst) return (await findOutcome<Selection>(client, command)) ?? outcome;
  if ('decided' in decided) await insertTelemetry(client, tenantId, decided.decided.telemetry);
  return outcome;
}
