import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@palimpsest/kernel/testing';

export type Variables = Readonly<Record<string, string>>;

/** One line that a process logged, parsed where it is JSON. */
export type LogLine = { readonly text: string; readonly fields: Readonly<Record<string, unknown>> };

const APPS = fileURLToPath(new URL('../../../apps', import.meta.url));
const STARTING_MS = 60_000;
const LAST_LINES = 15;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A built app as its own process; what it logs stays in memory. */
export class ServiceProcess {
  readonly lines: LogLine[] = [];
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;

  constructor(
    readonly app: string,
    variables: Variables,
  ) {
    this.#child = spawn(process.execPath, [`${APPS}/${app}/dist/main.js`], {
      env: { PATH: process.env['PATH'], ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(this.#child);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (text) => this.lines.push(parsedLine(text)));
    }
    this.#gone = new Promise<void>((resolve) => {
      this.#child.once('close', () => resolve());
      this.#child.once('error', () => resolve());
    }).then(() => void running.delete(this.#child));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Exit code once it has ended by itself. */
  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  logged(message: string): readonly LogLine[] {
    return this.lines.filter(({ fields }) => fields['msg'] === message);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Resolves when the process is gone and its last line was read. */
  async end(signal?: NodeJS.Signals): Promise<void> {
    if (signal && this.isRunning) this.#child.kill(signal);
    await this.#gone;
  }

  /** Waits for a probe to hold; a process that ended, or never gets there, is an error with its last lines. */
  async until(what: string, probe: () => boolean | Promise<boolean>): Promise<void> {
    const endsAt = performance.now() + STARTING_MS;
    await waitUntil(
      async () => {
        if (await probe()) return true;
        if (!this.isRunning || performance.now() > endsAt) throw new ProcessFailedError(this, what);
        return false;
      },
      { withinMs: 2 * STARTING_MS },
    );
  }
}

export class ProcessFailedError extends Error {
  constructor(failed: ServiceProcess, awaited: string) {
    const state = failed.isRunning ? 'is running' : `ended with ${failed.exitCode}`;
    const last = failed.lines.slice(-LAST_LINES).map(({ text }) => text);
    super([`${failed.app} ${state}, and in vain it was waited for: ${awaited}`, ...last].join('\n'));
  }
}

function parsedLine(text: string): LogLine {
  try {
    return { text, fields: JSON.parse(text) as Record<string, unknown> };
  } catch {
    return { text, fields: {} };
  }
}
