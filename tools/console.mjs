// What every tool says, and how it runs the others' programs.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export function progress(text) {
  process.stderr.write(`› ${text}\n`);
}

export function fail(text) {
  process.stderr.write(`✗ ${text}\n`);
  process.exit(1);
}

const running = new Set();
let interrupted = false;

/**
 * Runs a program with our console; resolves with its exit code (128 + n where signal n ended it). With
 * `detached`, it leads a process group of its own: a signal then ends its children with it.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    running.add(Object.assign(child, { detached: options.detached === true }));
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      running.delete(child);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/** Runs a program for its output; never throws. */
export function ask(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (output += text));
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, output: output.trim() }));
  });
}

/**
 * From now on a signal ends the programs we run, and we end after them, so that we can clean up. Ctrl-C at the
 * terminal reaches those in our own process group by itself.
 */
export function endWithOurPrograms() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      interrupted = true;
      for (const child of running) {
        if (child.detached) process.kill(-child.pid, signal);
        else if (signal !== 'SIGINT') child.kill(signal);
      }
    });
  }
}

/** True where a signal came while nothing of ours ran that could end by it. */
export function wasInterrupted() {
  return interrupted;
}
