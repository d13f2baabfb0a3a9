// A NATS server with JetStream of our own, on a free port: from PATH, else Debian's package unpacked into a cache
// folder (no root needed), else a container.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { connect } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ask, progress, root } from './console.mjs';

const IMAGE = 'nats:2.11-alpine';
const START_MS = 30_000;
const SUPERVISOR = join(root, 'libs/adapters/embedded-postgres/supervisor.mjs');

export const HOW_TO_GET_NATS =
  'There is no NATS server to test with. Install one (Debian: apt-get install nats-server; macOS: brew install ' +
  'nats-server), or start Docker, or set TEST_NATS_URL to a server with JetStream that tests may write to.';

/** `{ url, binary?, stop() }`, or undefined where no server can be had. */
export async function startNats() {
  const binary = onPath() ?? (await fromDebian());
  if (binary) return startBinary(binary);
  return (await ask('docker', ['info'], { timeout: 10_000 })).ok ? startContainer() : undefined;
}

/** Debian keeps servers in folders that are not on a plain user's PATH. */
function onPath() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...folders, '/usr/sbin', '/usr/local/sbin']
    .map((folder) => join(folder, 'nats-server'))
    .find(isExecutable);
}

async function fromDebian() {
  const cache = cacheFolder();
  const unpacked = join(cache, 'nats-server', 'usr', 'sbin', 'nats-server');
  if (isExecutable(unpacked)) return unpacked;
  if (!(await ask('apt-get', ['--version'])).ok) return undefined;
  progress('fetching nats-server (Debian package, unpacked in a cache folder)');
  const folder = mkdtempSync(join(cache, 'download-'));
  try {
    if (!(await download(folder, [])) && !(await download(folder, await ownPackageLists(folder))))
      return undefined;
    const name = readdirSync(folder).find((file) => file.endsWith('.deb'));
    const contents = join(folder, 'contents');
    if (!(await ask('dpkg', ['-x', join(folder, name), contents])).ok) return undefined;
    // Whole or not at all, also where two of us do this at once.
    if (!existsSync(join(cache, 'nats-server'))) renameSync(contents, join(cache, 'nats-server'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return isExecutable(unpacked) ? unpacked : undefined;
}

async function download(cwd, options) {
  return (
    await ask('apt-get', [...options, '-o', 'APT::Sandbox::User=root', 'download', 'nats-server'], { cwd })
  ).ok;
}

/** A machine that never ran `apt-get update` has no lists, and a plain user cannot make the system's. */
async function ownPackageLists(folder) {
  const state = join(folder, 'apt');
  mkdirSync(join(state, 'lists', 'partial'), { recursive: true });
  mkdirSync(join(state, 'archives', 'partial'), { recursive: true });
  const options = ['-o', `Dir::State::Lists=${join(state, 'lists')}`, '-o', `Dir::Cache=${state}`];
  await ask('apt-get', [...options, '-o', 'APT::Sandbox::User=root', 'update']);
  return options;
}

function cacheFolder() {
  for (const folder of [join(root, '.cache'), join(homedir(), '.cache', 'palimpsest')]) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
      return folder;
    } catch {
      // A clone may be read-only.
    }
  }
  return mkdtempSync(join(tmpdir(), 'palimpsest-cache-'));
}

async function startBinary(binary) {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-nats-'));
  const args = ['-a', '127.0.0.1', '-p', '-1', '-js', '-sd', folder, '--ports_file_dir', folder];
  const server = supervise({ command: binary, args, folder });
  const url = await server.until(() => {
    const ports = readdirSync(folder).find((file) => file.endsWith('.ports'));
    return ports && JSON.parse(readFileSync(join(folder, ports), 'utf8')).nats?.[0];
  });
  return { url: url.replace('localhost', '127.0.0.1'), binary, stop: server.stop };
}

async function startContainer() {
  progress(`starting NATS in a container (${IMAGE})`);
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-nats-'));
  const name = `palimpsest-test-${randomBytes(6).toString('hex')}`;
  const args = [
    'run',
    '--rm',
    '--name',
    name,
    '-p',
    '127.0.0.1::4222',
    IMAGE,
    '-js',
    '-sd',
    '/tmp/jetstream',
  ];
  const server = supervise({ command: 'docker', args, folder, env: process.env }, 180_000);
  const url = await server.until(async () => {
    const published = await ask('docker', ['port', name, '4222/tcp']);
    return published.ok && `nats://${published.output.split('\n')[0]}`;
  });
  return { url, stop: server.stop };
}

/** The supervisor stops the server when we end, however that happens, and removes its folder. */
function supervise({ command, args, folder, env = {} }, startMs = START_MS) {
  const logFile = join(folder, 'server.log');
  const order = {
    command,
    args,
    env,
    logFile,
    stopSignals: ['SIGTERM', 'SIGTERM', 'SIGKILL'],
    graceMs: 5_000,
  };
  const supervisor = spawn(process.execPath, [SUPERVISOR, JSON.stringify({ ...order, removeDir: folder })], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let said = '';
  supervisor.stdout.on('data', (text) => (said += text));
  const ended = new Promise((resolve) => supervisor.on('exit', resolve));
  const stop = async () => {
    supervisor.stdin.end();
    await ended;
  };
  const until = async (urlOf) => {
    for (let waited = 0; waited < startMs && !said.includes('exited'); waited += 50) {
      const url = await urlOf();
      if (url && (await hasJetStream(url))) return url;
      await pause(50);
    }
    const log = existsSync(logFile) ? readFileSync(logFile, 'utf8').split('\n').slice(-8).join('\n') : '';
    await stop();
    throw new Error(`${command} did not start:\n${log}`);
  };
  return { stop, until };
}

/** A NATS server greets with one line that tells what it can do. */
function hasJetStream(url) {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.setTimeout(2_000, () => socket.destroy());
    socket.once('data', (greeting) => {
      resolve(greeting.includes('"jetstream":true'));
      socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(false));
  });
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
