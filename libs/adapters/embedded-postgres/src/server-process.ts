import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ServerAccount } from './server-account.js';

export type ServerCommand = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly account: ServerAccount | undefined;
  /** Truncated at start. */
  readonly logFile: string;
  /** Removed once the server is gone. */
  readonly removeDir?: string;
};

/** A server under its supervisor, which stops it when this process ends in whatever way. */
export type ServerProcess = {
  /** Of the server itself, once it has been started. */
  pid(): number | undefined;
  /** Exit code, signal or spawn error; `undefined` while it runs. */
  exit(): string | undefined;
  /** Resolves with what `exit` says, as soon as it does. */
  readonly ended: Promise<string>;
  lastWords(): string;
  /** Resolves when the server is gone. */
  stop(): Promise<void>;
};

/** Fast shutdown, then immediate, then by force. */
const STOP_SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGKILL'];
const SUPERVISOR = fileURLToPath(new URL('../supervisor.mjs', import.meta.url));

export function startServerProcess(server: ServerCommand): ServerProcess {
  const { account, ...command } = server;
  const order = { ...command, ...account, env: { LC_ALL: 'C' }, stopSignals: STOP_SIGNALS, graceMs: 10_000 };
  const supervisor = spawn(process.execPath, [SUPERVISOR, JSON.stringify(order)], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const said = new Map<string, string>();
  const { promise: ended, resolve: end } = withResolver<string>();
  const say = (word: string, what: string): void => {
    said.set(word, what);
    if (word === 'exited') end(what);
  };
  createInterface({ input: supervisor.stdout }).on('line', (line) => {
    const space = line.indexOf(' ');
    say(line.slice(0, space), line.slice(space + 1));
  });
  const gone = once(supervisor, 'exit').then(
    () => say('exited', said.get('exited') ?? 'unknown'),
    (error: unknown) => say('exited', String(error)),
  );
  // A forgotten server must not keep its owner alive: the supervisor ends it when the owner ends.
  supervisor.unref();
  for (const stream of [supervisor.stdin, supervisor.stdout]) (stream as Partial<Unreferenced>).unref?.();
  supervisor.stdin.on('error', () => undefined);
  return {
    pid: () => (said.has('pid') ? Number(said.get('pid')) : undefined),
    exit: () => said.get('exited'),
    ended,
    lastWords: () => tail(server.logFile),
    async stop() {
      supervisor.ref();
      supervisor.stdin.end();
      await gone;
    },
  };
}

/** Pipes of a child are sockets, though their types do not say so. */
type Unreferenced = { unref(): void };

function withResolver<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function tail(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').slice(-8).join('\n');
  } catch {
    return '';
  }
}
