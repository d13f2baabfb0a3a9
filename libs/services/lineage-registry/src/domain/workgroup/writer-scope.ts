import {
  ContextRefusal,
  isWriterRole,
  overlapsScope,
  ownedPaths,
  pathReader,
  scopeOf,
  textWorkspace,
  type CanonicalPath,
} from '@palimpsest/context-efficiency';
import { MOST_OWNED_PATH_LENGTH } from '@palimpsest/contracts/registry';
import { MOST_INHERITED_WRITERS, takesContextOver, type Lineage, type Workgroup } from './workgroup.js';
import { InheritedWriterLimitError, unfitting, WriterScopeConflictError } from './workgroup.errors.js';

/** Of all owned paths of a lineage together, in UTF-16 code units. */
export const MOST_PATHS_LENGTH = 32_768;

/** Paths that can be kept: all of them in one view, and each as the place behind which a page begins. */
export function areKept(paths: readonly CanonicalPath[]): boolean {
  const isShort = paths.every(({ length }) => length <= MOST_OWNED_PATH_LENGTH);
  return isShort && paths.join('').length <= MOST_PATHS_LENGTH;
}

export type WriterScope = { readonly isWriter: boolean; readonly ownedPaths: readonly CanonicalPath[] };

/** Paths as a caller names them, by their text alone: no file system is looked at. Throws a `ContextRefusal` (§4.2). */
export function readPaths(ownedFiles: readonly string[] = []): readonly CanonicalPath[] {
  const paths = ownedPaths({ owned_files: ownedFiles }, pathReader(undefined, textWorkspace));
  if (!areKept(paths)) throw unfitting('ownedFiles');
  return paths;
}

type Unit = { readonly declared: boolean; readonly role: string; readonly paths: readonly CanonicalPath[] };

/** Who writes by its word, its paths or its role (contract §4.3) has to name a path. */
export function writerScope({ declared, role, paths }: Unit): WriterScope {
  const isWriter = declared || paths.length > 0 || isWriterRole(role);
  if (isWriter && paths.length === 0) throw new ContextRefusal('WRITER_SCOPE_REQUIRED');
  return { isWriter, ownedPaths: paths };
}

/** No path of a writer at work equals, contains or lies in one of these. */
export function requireFreeScope(workgroup: Workgroup, { isWriter, ownedPaths: paths }: WriterScope): void {
  if (!isWriter) return;
  const scope = scopeOf(paths);
  const holder = writersAtWork(workgroup).find((writer) =>
    writer.ownedPaths.some((path) => overlapsScope(scope, path)),
  );
  if (holder) throw new WriterScopeConflictError(holder);
}

/** For a writer that is about to go on with context taken over. */
export function requireInheritedPlace(workgroup: Workgroup, { isWriter }: WriterScope): void {
  const inherited = writersAtWork(workgroup).filter(tookContextOver);
  if (isWriter && inherited.length >= MOST_INHERITED_WRITERS) throw new InheritedWriterLimitError();
}

export function writersAtWork({ lineages }: Workgroup): readonly Lineage[] {
  return [...lineages.values()].filter(({ status, isWriter }) => status === 'held' && isWriter);
}

export function tookContextOver({ grant }: Lineage): boolean {
  return takesContextOver(grant);
}
