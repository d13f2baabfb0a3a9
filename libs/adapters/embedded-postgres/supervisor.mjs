// Holds one server for as long as its parent lives. The parent keeps the other end of stdin: when that closes
// (a stop, Ctrl-C, a crash, kill -9) the server is stopped, so nothing is ever left behind. Runs in a session of
// its own, so that a Ctrl-C at the terminal reaches the parent only. Plain JavaScript: it needs no build.
//
// argv[2]: JSON { command, args, cwd?, uid?, gid?, env?, logFile, stopSignals, graceMs, removeDir? }
// stdout: `pid <n>` when started, `exited <code or signal>` when the server is gone.
import { spawn } from 'node:child_process';
import { openSync, rmSync } from 'node:fs';

const spec = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${line}\n`);
process.stdout.on('error', () => {});

let gone = false;
let stopping = false;

const log = openSync(spec.logFile, 'w', 0o600);
const server = spawn(spec.command, spec.args, {
  cwd: spec.cwd,
  uid: spec.uid,
  gid: spec.gid,
  env: spec.env ?? {},
  stdio: ['ignore', log, log],
});
server.on('spawn', () => say(`pid ${server.pid}`));
server.on('error', (error) => ended(error.message));
server.on('exit', (code, signal) => ended(signal ?? code));

function ended(how) {
  if (gone) return;
  gone = true;
  say(`exited ${how}`);
  if (stopping) leave();
}

function leave() {
  if (spec.removeDir) rmSync(spec.removeDir, { recursive: true, force: true, maxRetries: 5 });
  process.exit(0);
}

function stop() {
  if (stopping) return;
  stopping = true;
  if (gone) return leave();
  const [first, ...harder] = spec.stopSignals;
  server.kill(first);
  harder.forEach((signal, index) => setTimeout(() => server.kill(signal), spec.graceMs * (index + 1)));
}

process.stdin.on('end', stop).on('close', stop).on('error', stop).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
