#!/usr/bin/env node
// A file that is there before the first build, so that npm links the command at install.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(fileURLToPath(main))) {
  await import(main.href);
} else {
  process.stderr.write('palimpsest: not built yet (usage)\n  Run "npm run build" in the clone first.\n');
  process.exitCode = 2;
}
