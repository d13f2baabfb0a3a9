import {
  ContextRefusal,
  factOf,
  factsOf,
  isFacts,
  ownedPaths,
  pathReader,
  textWorkspace,
  type Facts,
  type RecordedPaths,
} from '@palimpsest/context-efficiency';
import type { Delegate } from '@palimpsest/contracts/registry';
import { shownPath } from '../workgroup/views.js';
import { unfitting } from '../workgroup/workgroup.errors.js';
import { areKept } from '../workgroup/writer-scope.js';
import { isInheritanceOpen } from './inheritance.js';
import type { Standing } from './standing.js';

/** What the router is asked with (contract §4.1), and the paths that are on record. */
export type UnitFacts = { readonly routing: Facts; readonly recorded: RecordedPaths };

/** What the registry knows better, or what has no place here: paths are judged by their text. */
const NOT_THE_CALLERS = [
  'active_writers',
  'active_writer_scopes',
  'workspace_root',
  'owned_files',
  'resolved_owned_files',
];

/**
 * The caller's facts with the command's own fields over them, and what is recorded over both. A unit whose dependencies
 * are not ready cannot start: it is blocking, and stays with whoever has them.
 */
export function unitFacts(command: Delegate, standing: Standing): UnitFacts {
  const stated = statedFacts(command.routing);
  return {
    routing: {
      ...without(stated, NOT_THE_CALLERS),
      ...(!command.dependenciesReady && { blocking: true }),
      role: command.role,
      coupling: command.coupling,
      sensitivity: command.sensitivity,
      independent_reviewer: command.independentReviewer,
      nesting_depth: standing.depth,
      max_nesting_depth: standing.mostDepth,
      active_inherited_writers: standing.inheritedWriters,
      max_active_inherited: standing.mostInheritedWriters,
      ...inheritanceFacts(command, stated, standing),
      ...pathFacts(command, stated, standing),
    },
    recorded: {
      active: standing.activeWriters.flat(),
      own: command.ownedFiles ? [] : (standing.lineage?.ownedPaths ?? []),
    },
  };
}

/** That it is safe is the caller's to say and the record's to deny. Denied, it is left unsaid: an isolation (§4.4, row 9) it is not. */
function inheritanceFacts(command: Delegate, stated: Facts, standing: Standing): Facts {
  const inheritance = factsOf(stated, 'inheritance');
  if (factOf(inheritance, 'safe') !== true || isInheritanceOpen(standing, command)) return {};
  return { inheritance: without(inheritance, ['safe']) };
}

/** As in a dispatch, the facts may stand in an `input` of their own (contract §11). */
export function statedFacts(routing: Facts = {}): Facts {
  const input = factOf(routing, 'input') ?? routing;
  if (!isFacts(input)) throw new ContextRefusal('INVALID_REQUEST');
  return input;
}

/** What the unit would own, canonical, once each, as it is shown; a team's scopes are its peers'. Bounded like a lineage's. */
export function unitPaths({ routing, recorded }: UnitFacts): readonly string[] {
  const read = pathReader(undefined, textWorkspace);
  const own = [routing, factsOf(routing, 'lineage')].flatMap((facts) => ownedPaths(facts, read));
  const paths = [...new Set([...own, ...recorded.own])];
  if (!areKept(paths)) throw unfitting('ownedFiles');
  return paths.map(shownPath);
}

/**
 * The command's paths where it gives any. Else those that the facts state, and as on a resume those that the named lineage
 * had. A lineage that is not named is not on record: it is not compatible, whatever is said of it.
 */
function pathFacts({ ownedFiles }: Delegate, stated: Facts, { lineage }: Standing): Facts {
  if (ownedFiles) return { owned_files: ownedFiles, lineage: {} };
  return { ...pathLists(stated), lineage: lineage ? {} : pathLists(factsOf(stated, 'lineage')) };
}

function pathLists(facts: Facts): Facts {
  return {
    owned_files: factOf(facts, 'owned_files'),
    resolved_owned_files: factOf(facts, 'resolved_owned_files'),
  };
}

function without(facts: Facts, names: readonly string[]): Facts {
  return Object.fromEntries(Object.entries(facts).filter(([name]) => !names.includes(name)));
}
