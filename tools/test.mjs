#!/usr/bin/env node
// `npm test [-- <jest arguments>]`: all tests against real servers; `npm run chaos` gives another configuration. Ends
// with `N passed, N failed` on a line of its own; exit code 0 only where every test passed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithOurPrograms, progress, root, run, wasInterrupted } from './console.mjs';
import { startServers } from './servers.mjs';
import { setup } from './workspace.mjs';

await setup();
endWithOurPrograms();
const servers = await startServers();
const folder = mkdtempSync(join(tmpdir(), 'palimpsest-test-'));
const results = join(folder, 'results.json');
try {
  progress('testing');
  const args = [...process.argv.slice(2), '--json', `--outputFile=${results}`];
  process.exitCode = wasInterrupted() ? 130 : await runJest(args, servers.env);
} finally {
  await servers.stop();
}
const { passed, failed, skipped } = countsOf(results, process.exitCode);
rmSync(folder, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);

function runJest(args, env) {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const options = [process.env.NODE_OPTIONS, ...flags].filter(Boolean).join(' ');
  return run(process.execPath, [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...args], {
    env: { ...process.env, ...env, NODE_OPTIONS: options },
    // Its workers outlive a jest that is killed alone.
    detached: true,
    // With --json jest talks on stderr; its stdout holds nothing a person reads.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** A spec file that does not load counts as one failure, and so does a run that ended without results. */
function countsOf(results, code) {
  try {
    const found = JSON.parse(readFileSync(results, 'utf8'));
    const failed = found.numFailedTests + found.numRuntimeErrorTestSuites;
    return {
      passed: found.numPassedTests,
      failed: code !== 0 && failed === 0 ? 1 : failed,
      skipped: found.numPendingTests,
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
