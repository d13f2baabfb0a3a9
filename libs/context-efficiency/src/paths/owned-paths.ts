import { refuse } from '../answers/context-refusal.js';
import { factOf, isUnset, type Facts } from '../json/facts.js';
import { compatibilityForm } from '../text/compatibility-form.js';
import type { OpenWorkspace, Workspace } from './workspace.js';

/** The canonical form of one owned path: its segments below the root, joined by `/`; the root itself is `''`. */
export type CanonicalPath = string;
export type ReadPath = (path: unknown) => CanonicalPath;

/**
 * Paths that somebody has on record, canonical. They are not read again: a canonical path may be none that can be read, as
 * its form may bring forth a colon, a blank at an end, or `..`.
 */
export type RecordedPaths = {
  /** What active writers own. */
  readonly active: readonly CanonicalPath[];
  /** What the unit owns, beside what its facts say. */
  readonly own: readonly CanonicalPath[];
};

const FORBIDDEN = /[:\u0000-\u001f\u007f]/;

/** Reads owned paths against a `workspace_root`, which is judged only once there is a path (contract §4.2). */
export function pathReader(root: unknown, open: OpenWorkspace): ReadPath {
  let workspace: Workspace | undefined;
  return (path) => {
    const segments = segmentsOf(path);
    workspace ??= open(workspaceRoot(root));
    const resolved = workspace(segments) ?? refuse('INVALID_OWNERSHIP_PATH');
    return compatibilityForm(resolved.join('/')).toLowerCase();
  };
}

function workspaceRoot(root: unknown): string | undefined {
  if (isUnset(root)) return undefined;
  return typeof root === 'string' && root.trim() !== '' ? root : refuse('INVALID_OWNERSHIP_PATH');
}

function segmentsOf(path: unknown): readonly string[] {
  if (typeof path !== 'string' || path === '' || path !== path.trim() || FORBIDDEN.test(path)) {
    return refuse('INVALID_OWNERSHIP_PATH');
  }
  const segments = path.replaceAll('\\', '/').split('/');
  if (segments[0] === '' || segments.includes('..')) return refuse('INVALID_OWNERSHIP_PATH');
  return segments.filter((segment) => segment !== '' && segment !== '.');
}

/** A list of paths or scopes, not yet its items: unset is empty, anything but an array is refused (contract §4.1). */
export function listUnder(facts: Facts, name: string): readonly unknown[] {
  const list = factOf(facts, name);
  if (isUnset(list)) return [];
  return Array.isArray(list) ? list : refuse('INVALID_OWNERSHIP_PATH');
}

/** What a record owns: each path of its two lists, once. */
export function ownedPaths(record: Facts, read: ReadPath): readonly CanonicalPath[] {
  const lists = [listUnder(record, 'owned_files'), listUnder(record, 'resolved_owned_files')];
  return [...new Set(lists.flat().map(read))];
}
