import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The built command, as a person runs it. */
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export type CliEnd = { readonly code: number | null; readonly out: string; readonly err: string };

export type CliOptions = {
  readonly cwd: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
};

export type CliProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** Nothing of the caller's environment that would name a server. */
export function startCli(args: readonly string[], { cwd, env }: CliOptions): CliProcess {
  const PATH = process.env['PATH'] ?? '';
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: { PATH, ...env }, stdio: 'pipe' });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

const running = new Set<CliProcess>();

/** For after a test: one that failed half-way leaves no process behind. Resolves when all are gone. */
export async function endAll(): Promise<void> {
  const ends = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ends);
}

export async function runCli(args: readonly string[], options: CliOptions): Promise<CliEnd> {
  const child = startCli(args, options);
  child.stdin.end(options.input ?? '');
  return ended(child);
}

export async function ended(child: CliProcess): Promise<CliEnd> {
  // One that is gone closes no second time.
  const code = running.has(child)
    ? new Promise<number | null>((resolve) => child.once('close', resolve))
    : child.exitCode;
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, out, err };
}

/** Resolves with the first line a process writes to standard output. */
export async function firstLine(child: CliProcess): Promise<string> {
  const said = await saidUntil(child, '\n');
  return said.slice(0, said.indexOf('\n'));
}

/** Resolves with what a process has written to standard output when a text is among it. */
export function saidUntil(child: CliProcess, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = '';
    child.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes(text)) resolve(seen);
    });
    child.once('close', (code) => reject(new TypeError(`ended with ${code} before it said anything`)));
  });
}
