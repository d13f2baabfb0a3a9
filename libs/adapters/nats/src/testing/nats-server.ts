import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { TerminalError } from '@palimpsest/kernel';

/** A server of the spec's own, with JetStream, on a free port of this machine. */
export type TestNatsServer = {
  readonly url: string;
  /** SIGKILL: the server gets no chance to tidy up. */
  kill(): Promise<void>;
  /** On the same port; `forget` starts it with an empty store. */
  start(options?: { readonly forget?: boolean }): Promise<void>;
  /** SIGSTOP: connected, but silent, until {@link resume}. */
  freeze(): void;
  resume(): void;
  remove(): Promise<void>;
};

export async function createTestNatsServer(): Promise<TestNatsServer> {
  const binary = natsServerBinary();
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-nats-'));
  let child: ChildProcess | undefined;

  const start = async ({ forget = false } = {}) => {
    if (forget) await rm(join(folder, 'jetstream'), { recursive: true, force: true });
    child = spawn(binary, ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder], { stdio: 'ignore' });
    await untilListening(port, child);
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    remove: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function testNatsUrl(): string {
  const url = process.env['TEST_NATS_URL'];
  if (url) return url;
  throw missing(
    'TEST_NATS_URL is not set: integration specs need a NATS server with JetStream. `npm test` starts one.',
  );
}

/** A binary of the name in `TEST_NATS_SERVER_BIN`, else the first on PATH. */
export function natsServerBinary(): string {
  const named = process.env['TEST_NATS_SERVER_BIN'];
  if (named) return named;
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    // Debian keeps the server where only root's PATH looks.
    .concat('/usr/sbin', '/usr/local/sbin')
    .map((folder) => join(folder, 'nats-server'))
    .find(isExecutable);
  if (found) return found;
  throw missing(
    'nats-server is neither on PATH nor named by TEST_NATS_SERVER_BIN. `npm test` finds or fetches one.',
  );
}

function missing(message: string): TerminalError {
  return new TerminalError('internal_error', message);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const answered = await Promise.race([
      once(socket, 'data').then(
        () => true,
        () => false,
      ),
      once(socket, 'error').then(() => false),
    ]);
    socket.destroy();
    if (answered) return;
    await pause(20);
  }
  throw missing(`nats-server ended with code ${child.exitCode} before it listened.`);
}
