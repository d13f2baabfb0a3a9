#!/usr/bin/env node
// `npm run verify`: format, lint and types at once, as none needs another's outcome, then the tests; says what failed.
import { join } from 'node:path';
import { fail, progress, root, run } from './console.mjs';
import { built, packages } from './workspace.mjs';

const tool = (...path) => join(root, 'node_modules', ...path);

const STATIC = [
  ['format', [tool('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level=warn', '.']],
  // Reads the sources of all packages, and no build.
  ['lint', [tool('eslint', 'bin', 'eslint.js'), '.', '--max-warnings=0']],
];
const TESTS = ['tests', [join(root, 'tools', 'test.mjs')]];

async function step([name, args]) {
  progress(`verify: ${name}`);
  return (await run(process.execPath, args)) === 0 ? [] : [name];
}

/** `tsc -b` itself: a build with a type error ends everything. */
async function types() {
  progress('verify: types');
  await built();
  return [];
}

await packages();
const failed = (await Promise.all([types(), ...STATIC.map(step)])).flat();
if (failed.length === 0 && !process.argv.includes('--static')) failed.push(...(await step(TESTS)));
if (failed.length > 0) fail(`verify: ${failed.join(' and ')} failed`);
progress('verify: all clean');
