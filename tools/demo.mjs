#!/usr/bin/env node
// `npm run demo [-- <arguments>]`: brings in what is missing and runs `palimpsest demo`.
import { join } from 'node:path';
import { endWithOurPrograms, root, run } from './console.mjs';
import { setup } from './workspace.mjs';

await setup();
endWithOurPrograms();
process.exitCode = await run(process.execPath, [
  join(root, 'apps', 'cli', 'dist', 'main.js'),
  'demo',
  ...process.argv.slice(2),
]);
