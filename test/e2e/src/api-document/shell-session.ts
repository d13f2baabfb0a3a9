import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Variables } from '../service-process.js';

const LONGEST_MS = 150_000;
const MOST_BYTES = 64 * 1024 * 1024;

export type Session = {
  /** What each script printed; those behind one that failed are missing. */
  readonly printed: readonly string[];
  /** What was said on standard error. */
  readonly complaints: string;
  readonly failed: boolean;
};

/**
 * Runs scripts one after the other in one bash, so that each has the variables of those before it. The first command that
 * fails, and the first variable that is not set, end it.
 */
export async function runInOneShell(scripts: readonly string[], variables: Variables): Promise<Session> {
  const program = scripts.map((script) => `printf '\\n%s\\n' '${BEGIN}'\n${script}`).join('\n');
  const options = {
    env: { PATH: process.env['PATH'], ...variables },
    timeout: LONGEST_MS,
    maxBuffer: MOST_BYTES,
  };
  try {
    // Without `--norc` bash takes a pipe for a remote shell, and reads what the machine sets up for people.
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-eu', '-c', program], options);
    return { printed: outputsOf(stdout), complaints: stderr, failed: false };
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    return { printed: outputsOf(stdout), complaints: stderr || message, failed: true };
  }
}

const BEGIN = '=== the next example ===';

function outputsOf(stdout: string): readonly string[] {
  return stdout.split(`\n${BEGIN}\n`).slice(1);
}
