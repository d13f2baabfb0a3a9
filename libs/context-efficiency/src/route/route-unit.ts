import { refuse } from '../answers/context-refusal.js';
import { factOf, factsOf, isFacts, isTrue, isUnset, type Facts } from '../json/facts.js';
import {
  listUnder,
  ownedPaths,
  type CanonicalPath,
  type ReadPath,
  type RecordedPaths,
} from '../paths/owned-paths.js';
import { isRequested } from './team.js';

/** What asks to be routed, as far as the rules need it (contract §4.1, §4.3). */
export type RouteUnit = {
  readonly facts: Facts;
  readonly lineage: Facts;
  readonly role: string;
  readonly proposed: readonly CanonicalPath[];
  readonly isWriter: boolean;
  /** Not yet looked at: readers never do. */
  readonly activeWriters: readonly unknown[];
  /** As they are recorded; then there are no `activeWriters`. */
  readonly activePaths: readonly CanonicalPath[];
  readonly read: ReadPath;
};

/** Rows 1, 2 and 2a of §4.4: every list and path is read before anything else is decided. */
export function readUnit(facts: Facts, read: ReadPath, recorded?: RecordedPaths): RouteUnit {
  const lineage = factsOf(facts, 'lineage');
  const role = roleOf(facts, lineage);
  const activeWriters = recorded ? [] : activeList(facts);
  const scopes = scopesOf(facts, read);
  const own = [facts, lineage].flatMap((record) => ownedPaths(record, read));
  const proposed = [...own, ...(recorded?.own ?? []), ...scopes.flatMap(({ paths }) => paths)];
  const isWriter = isTrue(facts, 'is_writer') || proposed.length > 0 || isWriterRole(role);
  const lacksPath = scopes.some(
    (scope) => scope.paths.length === 0 && (scope.isDeclared || isRequested(facts)),
  );
  if ((isWriter && proposed.length === 0) || lacksPath) refuse('WRITER_SCOPE_REQUIRED');
  const activePaths = recorded?.active ?? [];
  return { facts, lineage, role, proposed, isWriter, activeWriters, activePaths, read };
}

function roleOf(facts: Facts, lineage: Facts): string {
  const own = factOf(facts, 'role');
  const role = isUnset(own) ? factOf(lineage, 'role') : own;
  return typeof role === 'string' ? role : '';
}

const WRITER_ROLE = /(?:^|[-_])(?:builder|writer|implementer)(?:[-_]|$)/;

/** A role that writes by its name (contract §4.3). */
export function isWriterRole(role: string): boolean {
  return WRITER_ROLE.test(role.toLowerCase());
}

/** `null` falls to the alias; an empty list does not. */
function activeList(facts: Facts): readonly unknown[] {
  const name = isUnset(factOf(facts, 'active_writers')) ? 'active_writer_scopes' : 'active_writers';
  return listUnder(facts, name);
}

type WriterScope = { readonly isDeclared: boolean; readonly paths: readonly CanonicalPath[] };

/** Of a team, those that may write. What is no object is refused where the team is weighed (contract §4.4). */
function scopesOf(facts: Facts, read: ReadPath): readonly WriterScope[] {
  return listUnder(factsOf(facts, 'team'), 'scopes')
    .filter(isFacts)
    .filter((scope) => factOf(scope, 'is_writer') !== false)
    .map((scope) => ({ isDeclared: isTrue(scope, 'is_writer'), paths: ownedPaths(scope, read) }));
}
