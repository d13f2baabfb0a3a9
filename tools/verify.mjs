#!/usr/bin/env node
// `npm run verify`: format, lint, types, tests; stops at the first that fails and says which.
import { join } from 'node:path';
import { fail, progress, root, run } from './console.mjs';
import { setup } from './workspace.mjs';

const tool = (...path) => join(root, 'node_modules', ...path);

const STEPS = [
  ['format', [tool('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level=warn', '.']],
  ['lint', [tool('eslint', 'bin', 'eslint.js'), '.', '--max-warnings=0']],
  ['types', [tool('typescript', 'bin', 'tsc'), '-b']],
  ['tests', [join(root, 'tools', 'test.mjs')]],
];

/** `--static` leaves the tests out. */
const steps = process.argv.includes('--static') ? STEPS.slice(0, -1) : STEPS;

await setup();
for (const [name, args] of steps) {
  progress(`verify: ${name}`);
  if ((await run(process.execPath, args)) !== 0) fail(`verify: ${name} failed`);
}
progress('verify: all clean');
