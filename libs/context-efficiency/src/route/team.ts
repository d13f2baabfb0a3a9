import { refuse } from '../answers/context-refusal.js';
import { factOf, factsOf, isFacts, isTrue, type Facts } from '../json/facts.js';
import { listUnder, ownedPaths, type ReadPath } from '../paths/owned-paths.js';
import { overlapWithin } from '../paths/path-scope.js';

/** At least two peers, and somebody who says that they have to coordinate (contract §4.4). */
export function isRequested(facts: Facts): boolean {
  const team = factsOf(facts, 'team');
  const peers = factOf(team, 'peers');
  return isTrue(team, 'coordination_required') && Number.isInteger(peers) && (peers as number) >= 2;
}

const APPROVALS = ['provider_supported', 'safe', 'sensitivity_approved', 'within_budget'];

/** Its scopes are looked at last: one that is no object is refused only where nothing else bars the team. */
export function isEligible(facts: Facts, read: ReadPath): boolean {
  const team = factsOf(facts, 'team');
  return (
    isRequested(facts) &&
    APPROVALS.every((name) => isTrue(team, name)) &&
    factOf(facts, 'sensitivity') === 'normal' &&
    isQuickEnough(factOf(team, 'latency_ratio')) &&
    !scopesOverlap(listUnder(team, 'scopes'), read)
  );
}

function isQuickEnough(ratio: unknown): boolean {
  return typeof ratio === 'number' && ratio >= 0 && ratio <= 0.75;
}

/** Two overlapping paths inside one scope count as well. */
function scopesOverlap(scopes: readonly unknown[], read: ReadPath): boolean {
  const records = scopes.map((scope) => (isFacts(scope) ? scope : refuse('INVALID_OWNERSHIP_PATH')));
  const writing = records.filter((scope) => factOf(scope, 'is_writer') !== false);
  return overlapWithin(writing.flatMap((scope) => ownedPaths(scope, read)));
}
