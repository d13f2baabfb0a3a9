import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { join, parse, resolve, sep } from 'node:path';
import type { OpenWorkspace } from '@palimpsest/context-efficiency';

/** As many as Linux follows. */
const MAX_LINKS = 40;

/** Owned paths in the file system (contract §4.2); roots start at `folder`. It reads names and links only. */
export function fileWorkspace(folder: string): OpenWorkspace {
  return (given) => {
    const root = existing(resolve(folder, given ?? '.'));
    return (segments) => {
      const place = root && existing(root, segments);
      if (root === undefined || place === undefined) return undefined;
      if (place === root) return [];
      const below = root.endsWith(sep) ? root : root + sep;
      return place.startsWith(below) ? place.slice(below.length).split(sep) : undefined;
    };
  };
}

/** Links of the longest part that exists are followed, the rest is appended; undefined where that cannot be known. */
function existing(start: string, segments: readonly string[] = []): string | undefined {
  try {
    const { root } = parse(start);
    const own = start.slice(root.length).split(sep);
    return followed(
      root,
      [...own, ...segments].filter((name) => name !== ''),
      { left: MAX_LINKS },
    );
  } catch {
    return undefined;
  }
}

type Links = { left: number };

function followed(from: string, names: readonly string[], links: Links): string {
  let here = from;
  for (const [place, name] of names.entries()) {
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
