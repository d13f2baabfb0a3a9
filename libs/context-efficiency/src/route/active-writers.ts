import { refuse } from '../answers/context-refusal.js';
import { isFacts } from '../json/facts.js';
import { ownedPaths } from '../paths/owned-paths.js';
import { overlapsScope, scopeOf } from '../paths/path-scope.js';
import type { RouteUnit } from './route-unit.js';

/**
 * Rows 3 to 5 of §4.4: active writers in their order up to the first that overlaps what a writer proposes; later
 * ones are not looked at. One of its own lineage counts, and so does one that says it does not write.
 */
export function conflictsWithActive({ proposed, activeWriters, activePaths, read }: RouteUnit): boolean {
  const scope = scopeOf(proposed);
  if (activePaths.some((path) => overlapsScope(scope, path))) return true;
  return activeWriters.some((writer) => {
    const paths = isFacts(writer) ? ownedPaths(writer, read) : refuse('INVALID_OWNERSHIP_PATH');
    if (paths.length === 0) refuse('WRITER_SCOPE_REQUIRED');
    return paths.some((path) => overlapsScope(scope, path));
  });
}
