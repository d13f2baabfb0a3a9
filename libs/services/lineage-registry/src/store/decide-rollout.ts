import type { PoolClient } from 'pg';
import { appliedRollouts } from '../domain/rollout/evolve-rollouts.js';
import type { EnvironmentRollouts } from '../domain/rollout/rollout.js';
import type { RolloutDecision, RolloutMoment } from '../domain/rollout/rollout-events.js';
import { appendEvents } from './append-events.js';
import { consumeRun } from './consume-run.js';
import { keepOutcome } from './keep-outcome.js';
import { lockEnvironment, moveEnvironment, removeUnused } from './lock-environment.js';
import { keptOutcome, type Outcome } from './outcome.js';
import { outcomeOf, type Decided } from './outcome-of.js';
import { readRolloutsBehindLock, type RolloutsBehindLock } from './read-rollouts-behind-lock.js';
import { writeRollout } from './rollout-rows.js';
import type { RolloutChange } from './rollout-store.js';
import { streamOfRollouts } from './stream-names.js';

export type DecideRollout<Answer> = (
  rollouts: EnvironmentRollouts,
  moment: RolloutMoment,
) => RolloutDecision<Answer>;

/** One command in the client's transaction: lock, look, decide, write. A refusal is kept like an answer, so it is returned. */
export async function decideRollout<Answer extends object>(
  client: PoolClient,
  change: RolloutChange,
  decide: DecideRollout<Answer>,
): Promise<Outcome<Answer>> {
  await lockEnvironment(client, change);
  const behind = await readRolloutsBehindLock(client, change);
  const outcome = behind.kept
    ? keptOutcome<Answer>(behind.kept)
    : await decideBehindLock(client, change, { behind, decide });
  if (behind.rollouts.sequence < 0) await removeUnused(client, change);
  return outcome;
}

type Deciding<Answer> = { readonly behind: RolloutsBehindLock; readonly decide: DecideRollout<Answer> };

async function decideBehindLock<Answer extends object>(
  client: PoolClient,
  change: RolloutChange,
  deciding: Deciding<Answer>,
): Promise<Outcome<Answer>> {
  const { tenantId, environment, commandId } = change;
  const decided = await decideOnce(client, change, deciding);
  if ('decided' in decided)
    await write(client, change, { behind: deciding.behind, decision: decided.decided });
  const outcome = 'decided' in decided ? { answer: decided.decided.answer } : decided;
  await keepOutcome(client, { tenantId, stream: streamOfRollouts(environment), commandId }, outcome);
  return outcome;
}

/** Uses up what the decision uses up; where another environment was first, it is decided again with that known. */
async function decideOnce<Answer>(
  client: PoolClient,
  { tenantId, environment }: RolloutChange,
  { behind: { rollouts, moment }, decide }: Deciding<Answer>,
): Promise<Decided<RolloutDecision<Answer>>> {
  const outcome = outcomeOf(() => decide(rollouts, moment));
  if ('refusal' in outcome || !outcome.decided.consumed) return outcome;
  const consumption = { tenantId, environment, run: outcome.decided.consumed, now: moment.now };
  if (await consumeRun(client, consumption)) return outcome;
  return outcomeOf(() => decide(rollouts, { ...moment, isConsumed: true }));
}

type Written = { readonly behind: RolloutsBehindLock; readonly decision: RolloutDecision<unknown> };

async function write(
  client: PoolClient,
  change: RolloutChange,
  { behind: { rollouts, moment }, decision: { events } }: Written,
): Promise<void> {
  if (events.length === 0) return;
  const recordedAt = new Date(moment.now).toISOString();
  const after = appliedRollouts(rollouts, events, recordedAt).rollouts;
  const { tenantId, environment } = change;
  const place = { tenantId, stream: streamOfRollouts(environment), after: rollouts.sequence, recordedAt };
  await appendEvents(client, place, events);
  await moveEnvironment(client, change, after.sequence);
  for (const rollout of after.families.values()) {
    if (rollout !== rollouts.families.get(rollout.family)) await writeRollout(client, change, rollout);
  }
}
