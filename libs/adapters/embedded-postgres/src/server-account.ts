import { readFileSync } from 'node:fs';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

/** Whom the server runs as. */
export type ServerAccount = { readonly uid: number; readonly gid: number };

/** Accounts that may run a server for root, best first; `nobody` exists on every Linux. */
const CANDIDATES = ['postgres', 'nobody'];

/** Postgres refuses to run as root: root lends it another account, anybody else runs it directly (`undefined`). */
export function serverAccount(): ServerAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of CANDIDATES) {
    const [, , uid, gid] = accounts.find((fields) => fields[0] === name) ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new EmbeddedPostgresError(
    'Postgres does not run as root and there is no user `postgres` or `nobody` to run it: ' +
      'start as another user, or set DATABASE_URL to a server of your own.',
  );
}
