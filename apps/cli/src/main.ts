#!/usr/bin/env node
import { EXIT } from './program/cli-error.js';
import { runProgram } from './program/run-program.js';

// `palimpsest … | head`: the reader has enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const code = await runProgram(process.argv.slice(2));
process.exitCode = code;
// What was interrupted may still be waiting for an answer that nobody wants.
if (code === EXIT.interrupted) process.exit();
