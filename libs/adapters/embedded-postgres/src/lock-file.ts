import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

const POLL_MS = 25;
/** A shutdown writes a checkpoint first. */
const STOPPING_MS = 20_000;
/** Between the death of a server's owner and the order to stop. */
const OWNER_GONE_MS = 1_000;

/** First line: process id; fourth: port; eighth: status. */
export function readLockFile(data: string): { pid: number; port: number; status: string } | undefined {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), status: (lines[7] ?? '').trim() };
  } catch {
    return undefined;
  }
}

/**
 * Makes sure that no other server has the folder. One that is shutting down is waited for. A lock left by a crash
 * is removed: its process id may be somebody else's by now, which Postgres itself cannot tell.
 */
export async function clearLockFile(data: string): Promise<void> {
  for (let waited = 0; ; waited += POLL_MS) {
    const lock = readLockFile(data);
    if (!lock) return;
    if (!isServerOf(lock.pid, data)) return rmSync(join(data, 'postmaster.pid'), { force: true });
    if (waited >= (lock.status === 'stopping' ? STOPPING_MS : OWNER_GONE_MS)) {
      throw new EmbeddedPostgresError(`A server is already running on ${data} (process ${lock.pid}).`);
    }
    await pause(POLL_MS);
  }
}

/** A server's working directory is its data folder. */
export function isServerOf(pid: number, data: string): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
  } catch {
    return false;
  }
}
