import { inTransaction } from '@palimpsest/adapter-postgres';
import type { Pool, PoolClient } from 'pg';
import type { Decision } from '../domain/workgroup/decision.js';
import type { Workgroup } from '../domain/workgroup/workgroup.js';
import { applyDecision } from './apply-decision.js';
import { insertTelemetry } from './insert-telemetry.js';
import { lockWorkgroup, removeClosed } from './lock-workgroup.js';
import { keptOutcome, outcomeText, type Outcome } from './outcome.js';
import { readBehindLock, type BehindLock } from './read-behind-lock.js';
import type { DecisionMoment, WorkgroupChange } from './workgroup-store.js';
import { writeDecision } from './write-decision.js';

export type Decide<Answer> = (workgroup: Workgroup, moment: DecisionMoment) => Decision<Answer>;

type Decided<Answer extends object> = {
  readonly outcome: Outcome<Answer>;
  /** Of the workgroup's last event now. */
  readonly sequence: number;
};

/** One decision in one transaction: lock, look, decide, write. Durable when it returns. */
export function decideInTransaction<Answer extends object>(
  pool: Pool,
  change: WorkgroupChange,
  decide: Decide<Answer>,
): Promise<Outcome<Answer>> {
  return inTransaction(pool, async (client) => {
    await lockWorkgroup(client, change);
    const behind = await readBehindLock(client, change);
    const { outcome, sequence } = behind.kept
      ? { outcome: keptOutcome<Answer>(behind.kept), sequence: behind.workgroup.sequence }
      : await decideBehindLock(client, change, { behind, decide });
    if (sequence < 0) await removeClosed(client, change);
    return outcome;
  });
}

type Deciding<Answer> = { readonly behind: BehindLock; readonly decide: Decide<Answer> };

async function decideBehindLock<Answer extends object>(
  client: PoolClient,
  change: WorkgroupChange,
  { behind, decide }: Deciding<Answer>,
): Promise<Decided<Answer>> {
  const { workgroup: before, moment } = behind;
  const { events, telemetry = [], ...outcome } = decide(before, moment);
  const recordedAt = new Date(moment.now).toISOString();
  const applied = applyDecision(before, events, recordedAt);
  const kept = change.commandId === undefined ? null : outcomeText(outcome);
  if (events.length > 0 || kept !== null)
    await writeDecision(client, change, { ...applied, before, recordedAt, outcome: kept });
  await insertTelemetry(client, change.tenantId, telemetry);
  return { outcome, sequence: applied.after.sequence };
}
