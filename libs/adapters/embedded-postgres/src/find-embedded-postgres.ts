import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isServerOf, readLockFile } from './lock-file.js';
import { urlOf } from './server-url.js';

/**
 * The URL of the server that runs on a data folder, as `startEmbeddedPostgres({ persistent: true, dataDir })` of another
 * process gave it; undefined where none runs, or the folder is not ours to read.
 */
export function findEmbeddedPostgres(dataDir: string): string | undefined {
  const data = join(dataDir, 'data');
  const lock = readLockFile(data);
  if (lock?.status !== 'ready' || !isServerOf(lock.pid, data)) return undefined;
  try {
    return urlOf(lock.port, readFileSync(join(dataDir, 'password'), 'utf8'));
  } catch {
    return undefined;
  }
}
