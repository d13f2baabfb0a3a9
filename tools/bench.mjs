#!/usr/bin/env node
// `npm run bench [-- <arguments>]`: builds `test/bench` (its own project: `test/bench/tsconfig.json`, sources in
// `src/`, output in `dist/`), starts durable servers as for tests, and runs `test/bench/dist/main.js` with
// TEST_DATABASE_URL and TEST_NATS_URL set.
import { join } from 'node:path';
import { endWithOurPrograms, fail, root, run } from './console.mjs';
import { startServers } from './servers.mjs';
import { setup } from './workspace.mjs';

await setup();
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
if ((await run(process.execPath, [tsc, '-b', 'test/bench'])) !== 0) fail('The benchmarks did not build.');
endWithOurPrograms();
const servers = await startServers({ durable: true });
try {
  process.exitCode = await run(
    process.execPath,
    [join(root, 'test', 'bench', 'dist', 'main.js'), ...process.argv.slice(2)],
    { env: { ...process.env, ...servers.env } },
  );
} finally {
  await servers.stop();
}
