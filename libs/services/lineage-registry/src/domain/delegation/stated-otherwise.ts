import {
  ContextRefusal,
  factOf,
  factsOf,
  isFacts,
  ownedPaths,
  pathReader,
  textWorkspace,
  type CanonicalPath,
  type Facts,
  type LineageVerdict,
} from '@palimpsest/context-efficiency';
import type { Delegate } from '@palimpsest/contracts/registry';
import { differingFields } from '../workgroup/judge-lineage.js';
import { recordedFacts } from './dispatch-request.js';
import { isInheritanceOpen } from './inheritance.js';
import { isResumable } from './judge-named.js';
import type { Standing } from './standing.js';
import { statedFacts } from './unit-facts.js';

type Scope = readonly CanonicalPath[];
type Scopes = readonly Scope[];

/**
 * Names of what the caller says otherwise than it is recorded; none of it was decided by, but paths that the command does
 * not name, which the unit would own beside the recorded ones. What is left out it says nothing of; null is unset where a
 * fact may be (contract §4.1), and a value among the current facts (§5.2).
 */
export function statedOtherwise(
  command: Delegate,
  standing: Standing,
  verdict: LineageVerdict | null,
): readonly string[] {
  const routing = statedFacts(command.routing);
  return [
    ...routingDifferences(routing, standing),
    ...pathDifferences(routing, recordedPaths(command, standing)),
    ...inheritanceDifferences(factsOf(routing, 'inheritance'), command, standing),
    ...lineageDifferences(factsOf(routing, 'lineage'), { command, standing, verdict }),
    ...differingFields(command.current ?? {}, recordedFacts(standing)).map((name) => `current.${name}`),
  ];
}

function routingDifferences(routing: Facts, standing: Standing): readonly string[] {
  const scopes = standing.activeWriters;
  return differing(withoutUnset(routing), [
    ['active_writers', (stated) => areScopes(stated, scopes)],
    ['active_writer_scopes', (stated) => areScopes(stated, scopes)],
    ['active_inherited_writers', (stated) => stated === standing.inheritedWriters],
    ['max_active_inherited', (stated) => stated === standing.mostInheritedWriters],
    ['nesting_depth', (stated) => stated === standing.depth],
    ['max_nesting_depth', (stated) => stated === standing.mostDepth],
    // The registry has no file system: whatever root is given, none is looked at.
    ['workspace_root', () => false],
  ]);
}

type Named = {
  readonly command: Delegate;
  readonly standing: Standing;
  readonly verdict: LineageVerdict | null;
};

/** Resumable is what a resume would take. A lineage that is not named is not known: it is neither compatible nor resumable. */
function lineageDifferences(stated: Facts, { command, standing, verdict }: Named): readonly string[] {
  const { lineage } = standing;
  const isHot = verdict?.state === 'HOT';
  const mayGoOn = isResumable(verdict, command, standing);
  const names = differing(withoutUnset(stated), [
    ['compatible', (value) => (value === true) === isHot],
    ['resumable', (value) => (value === true) === mayGoOn],
    ['lineage_id', (value) => value === lineage?.lineageId],
    ['role', (value) => value === lineage?.record.role],
  ]);
  const paths = pathDifferences(stated, lineage?.ownedPaths ?? []);
  return [...names, ...paths].map((name) => `lineage.${name}`);
}

/** The unit's, as far as they are on record: the command's, else the named lineage's. */
function recordedPaths({ ownedFiles }: Delegate, { lineage }: Standing): Scope | undefined {
  return ownedFiles ? readScopes([{ owned_files: ownedFiles }])?.[0] : lineage?.ownedPaths;
}

/** Both lists together are the paths (contract §4.3). */
function pathDifferences(stated: Facts, recorded: Scope | undefined): readonly string[] {
  if (recorded === undefined) return [];
  const isRecorded = () => areScopes([stated], [recorded]);
  return differing(withoutUnset(stated), [
    ['owned_files', isRecorded],
    ['resolved_owned_files', isRecorded],
  ]);
}

function inheritanceDifferences(stated: Facts, command: Delegate, standing: Standing): readonly string[] {
  const isDenied = factOf(stated, 'safe') === true && !isInheritanceOpen(standing, command);
  return isDenied ? ['inheritance.safe'] : [];
}

type Comparison = readonly [name: string, isRecorded: (stated: unknown) => boolean];

function differing(facts: Facts, comparisons: readonly Comparison[]): readonly string[] {
  return comparisons
    .filter(([name, isRecorded]) => {
      const stated = factOf(facts, name);
      return stated !== undefined && !isRecorded(stated);
    })
    .map(([name]) => name);
}

function withoutUnset(facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
}

/** The same writers by their paths, in whatever order; what cannot be read is not what is recorded. */
function areScopes(stated: unknown, recorded: Scopes): boolean {
  const scopes = readScopes(stated);
  return scopes !== undefined && signature(scopes) === signature(recorded);
}

function readScopes(stated: unknown): Scopes | undefined {
  if (!Array.isArray(stated) || !stated.every(isFacts)) return undefined;
  const read = pathReader(undefined, textWorkspace);
  try {
    return stated.map((scope) => ownedPaths(scope, read));
  } catch (error) {
    if (error instanceof ContextRefusal) return undefined;
    throw error;
  }
}

function signature(scopes: Scopes): string {
  return JSON.stringify(scopes.map((paths) => JSON.stringify([...paths].sort())).sort());
}
