#!/usr/bin/env node
import { runProgram } from './program/run-program.js';

// `palimpsest … | head`: the reader has enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await runProgram(process.argv.slice(2));
