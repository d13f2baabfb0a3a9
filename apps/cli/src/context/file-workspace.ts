import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { join, parse, resolve, sep } from 'node:path';
import type { OpenWorkspace } from '@palimpsest/context-efficiency';

/** As many as Linux follows. */
const MAX_LINKS = 40;

/**
 * Owned paths in the file system (contract §4.2); it reads names and links only. Roots start at the folder that is
 * asked for, once there is a path.
 */
export function fileWorkspace(currentFolder: () => string): OpenWorkspace {
  return (given) => {
    const root = known(() => realRoot(resolve(currentFolder(), given ?? '.')));
    return (segments) => {
      if (root === undefined) return undefined;
      const place = known(() => followed(root, segments, { left: MAX_LINKS }));
      return place === undefined ? undefined : below(root, place);
    };
  };
}

/** Undefined where the file system does not say. */
function known(ask: () => string): string | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

function realRoot(path: string): string {
  const { root } = parse(path);
  return followed(root, path.slice(root.length).split(sep), { left: MAX_LINKS });
}

function below(root: string, place: string): readonly string[] | undefined {
  if (place === root) return [];
  const folder = root.endsWith(sep) ? root : root + sep;
  return place.startsWith(folder) ? place.slice(folder.length).split(sep) : undefined;
}

type Links = { left: number };

/** Links of the longest part that exists are followed, the rest is appended. */
function followed(from: string, names: readonly string[], links: Links): string {
  let here = from;
  for (const [place, name] of names.entries()) {
    if (name === '') continue;
    const next = join(here, name);
    const found = entryAt(next);
    if (found === 'none') return join(here, names.slice(place).join(sep));
    here = found === 'link' ? targetOf(here, next, links) : next;
  }
  return here;
}

const ABSENT = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

function entryAt(path: string): 'none' | 'link' | 'other' {
  try {
    return lstatSync(path).isSymbolicLink() ? 'link' : 'other';
  } catch (error) {
    if (ABSENT.includes((error as NodeJS.ErrnoException).code ?? '')) return 'none';
    throw error;
  }
}

/** A link that leads to nothing yet is followed too: what is written there would be outside. */
function targetOf(folder: string, link: string, links: Links): string {
  links.left -= 1;
  if (links.left < 0) throw new RangeError('too many links');
  try {
    return realpathSync(link);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const target = resolve(folder, readlinkSync(link));
    const { root } = parse(target);
    return followed(root, target.slice(root.length).split(sep), links);
  }
}
