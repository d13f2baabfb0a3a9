import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Readable, Writable } from 'node:stream';
import type { CliEnd } from './run-cli.js';

export type ContextOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Of Node, before the program. */
  readonly flags?: readonly string[];
};

export type ContextProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** A program (a file, and words before the operation) as an adapter starts it. */
export class ContextCli {
  constructor(private readonly program: readonly string[]) {}

  start(words: readonly string[], { cwd, env, flags = [] }: ContextOptions = {}): ContextProcess {
    const child = spawn(process.execPath, [...flags, ...this.program, ...words], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: 'pipe',
      ...(cwd !== undefined && { cwd }),
    });
    // A sender whose request was refused early may find the pipe closed.
    child.stdin.on('error', () => undefined);
    return child;
  }

  async run(words: readonly string[], input: string | Uint8Array, options?: ContextOptions): Promise<CliEnd> {
    const child = this.start(words, options);
    child.stdin.end(input);
    return endOf(child);
  }

  /** The answer of a run that kept to its form: one line, no complaints, and the exit code that belongs to it. */
  async answer(operation: string, request: unknown, options?: ContextOptions): Promise<unknown> {
    const end = await this.run([operation], JSON.stringify(request), options);
    return answerOf(end);
  }
}

export async function endOf(child: ContextProcess): Promise<CliEnd> {
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, out, err };
}

export function answerOf({ code, out, err }: CliEnd): unknown {
  const answer = JSON.parse(out) as { ok: boolean };
  const form = { err, lines: out.split('\n').length - 1, code };
  expect(form).toEqual({ err: '', lines: 1, code: answer.ok ? 0 : 1 });
  return answer;
}
