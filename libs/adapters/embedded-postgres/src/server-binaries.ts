import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { locateBinaries, type BinaryPackage } from './binary-package.js';
import type { ServerAccount } from './server-account.js';
import { refuseForeign, temporaryFolder } from './temporary-folder.js';

export type ServerBinaries = { readonly initdb: string; readonly postgres: string; readonly major: string };

/**
 * Binaries that the account can execute. They run in place where that works. A copy in a temporary folder (kept,
 * one per version and user) is made for another account, as the clone may lie under a folder it cannot enter, and
 * where the package's links are missing because install scripts did not run.
 */
export function serverBinaries(account: ServerAccount | undefined): ServerBinaries {
  const found = locateBinaries();
  const linked = found.links.every(({ link }) => existsSync(join(found.root, link)));
  const root = account === undefined && linked ? found.root : readableCopy(found, account);
  return {
    initdb: join(root, 'bin', 'initdb'),
    postgres: join(root, 'bin', 'postgres'),
    major: found.version.split('.')[0] ?? '',
  };
}

function readableCopy(found: BinaryPackage, account: ServerAccount | undefined): string {
  const owner = process.getuid?.() ?? 0;
  const target = join(temporaryFolder(account), `palimpsest-postgres-${found.version}-${owner}`);
  if (existsSync(target)) {
    refuseForeign(target);
    if (isComplete(found, target)) return target;
    rmSync(target, { recursive: true, force: true });
  }
  const fresh = makeCopy(found, target);
  try {
    renameSync(fresh, target);
  } catch (error) {
    // Another process put the same copy there meanwhile: theirs is as good.
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
    refuseForeign(target);
  }
  return target;
}

function makeCopy(found: BinaryPackage, target: string): string {
  const fresh = mkdtempSync(`${target}.`);
  cpSync(found.root, fresh, { recursive: true, verbatimSymlinks: true });
  for (const { source, link } of found.links) {
    if (!existsSync(join(fresh, link))) symlinkSync(basename(source), join(fresh, link));
  }
  openToReaders(fresh);
  return fresh;
}

/** Cleaners of temporary folders remove old files one by one. */
function isComplete(found: BinaryPackage, copy: string): boolean {
  const names = readdirSync(found.root, { recursive: true, encoding: 'utf8' });
  return [...names, ...found.links.map(({ link }) => link)].every((name) => existsSync(join(copy, name)));
}

/** An install under a tight umask leaves files that only their owner reads. */
function openToReaders(copy: string): void {
  chmodSync(copy, 0o755);
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const executable = entry.isDirectory() || ['bin', 'lib'].includes(basename(entry.parentPath));
    chmodSync(join(entry.parentPath, entry.name), executable ? 0o755 : 0o644);
  }
}
