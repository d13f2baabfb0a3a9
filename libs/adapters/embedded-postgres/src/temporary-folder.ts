import { existsSync, lstatSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import type { ServerAccount } from './server-account.js';

/** A folder of temporary files that the account can reach: every folder above it lets others pass. */
export function temporaryFolder(account: ServerAccount | undefined): string {
  const candidates = [tmpdir(), '/tmp', '/var/tmp'];
  const reachable = account === undefined ? candidates[0] : candidates.find(letsOthersPass);
  if (reachable !== undefined) return reachable;
  throw new EmbeddedPostgresError(
    'Neither TMPDIR, /tmp nor /var/tmp can be entered by an unprivileged user.',
  );
}

/** Temporary folders are shared: what another user put there is never executed. */
export function refuseForeign(folder: string): void {
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid) && (found.mode & 0o022) === 0)
    return;
  throw new EmbeddedPostgresError(`${folder} belongs to somebody else: remove it, or set TMPDIR elsewhere.`);
}

function letsOthersPass(folder: string): boolean {
  if (!existsSync(folder) || (statSync(folder).mode & 0o001) === 0) return false;
  return dirname(folder) === folder || letsOthersPass(dirname(folder));
}
