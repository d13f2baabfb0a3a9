import type { CanonicalPath } from './owned-paths.js';

/**
 * A set of owned paths that answers quickly whether another one overlaps it: equal, or one of the two contains the
 * other (contract §4.2).
 *
 * Kept sorted with the separator below every other character, so that what a path contains follows it at once, and
 * without what another of its paths contains: then only the two neighbours of a path can overlap it.
 */
export type PathScope = { readonly keys: readonly string[] };

export function scopeOf(paths: readonly CanonicalPath[]): PathScope {
  const keys: string[] = [];
  for (const key of sortedKeys(paths)) {
    const last = keys.at(-1);
    if (last === undefined || !contains(last, key)) keys.push(key);
  }
  return { keys };
}

export function overlapsScope(scope: PathScope, path: CanonicalPath): boolean {
  const key = keyOf(path);
  const place = firstNotBelow(scope.keys, key);
  const neighbours = scope.keys.slice(Math.max(place - 1, 0), place + 1);
  return neighbours.some((other) => contains(other, key) || contains(key, other));
}

/** Whether one of the scope's paths equals or contains it. */
export function liesInScope(scope: PathScope, path: CanonicalPath): boolean {
  const key = keyOf(path);
  const place = firstNotBelow(scope.keys, key);
  const neighbours = scope.keys.slice(Math.max(place - 1, 0), place + 1);
  return neighbours.some((outer) => contains(outer, key));
}

/** True where two of the paths overlap. */
export function overlapWithin(paths: readonly CanonicalPath[]): boolean {
  const keys = sortedKeys(paths);
  return keys.some((key, place) => place > 0 && contains(keys[place - 1] ?? '', key));
}

function keyOf(path: CanonicalPath): string {
  return path.replaceAll('/', '\0');
}

function sortedKeys(paths: readonly CanonicalPath[]): readonly string[] {
  return paths.map(keyOf).sort();
}

function contains(outer: string, inner: string): boolean {
  return outer === '' || outer === inner || inner.startsWith(`${outer}\0`);
}

function firstNotBelow(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
