import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** The platform's package of binaries, as the registry delivers it. */
export type BinaryPackage = {
  readonly version: string;
  /** Folder with `bin`, `lib` and `share`. */
  readonly root: string;
  /** Library names that packages cannot carry: paths relative to `root`, each beside its source. */
  readonly links: readonly { readonly source: string; readonly link: string }[];
};

export function locateBinaries(): BinaryPackage {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const folder = dirname(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${platform}`)));
    const { version } = readJson(join(folder, 'package.json')) as { version: string };
    const root = join(folder, 'native');
    return { version, root, links: readLinks(join(root, 'pg-symlinks.json')) };
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `There are no embedded Postgres binaries for ${platform} in node_modules: ` +
        'run `npm ci` without --omit=optional, or set DATABASE_URL to a server of your own.',
      { cause },
    );
  }
}

function readLinks(path: string): BinaryPackage['links'] {
  if (!existsSync(path)) return [];
  const inRoot = (name: string): string => name.replace(/^native\//, '');
  return (readJson(path) as readonly { source: string; target: string }[]).map(({ source, target }) => ({
    source: inRoot(source),
    link: inRoot(target),
  }));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
