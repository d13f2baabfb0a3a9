#!/usr/bin/env node
// Writes the context command as one file that plain Node runs, from the sources: `dist/context-runtime.mjs`, or the
// file that is named. Written under another name first: whoever copies or runs it meanwhile has a whole one.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { progress, root } from './console.mjs';

const ENTRY = 'apps/cli/src/context/context-runtime.ts';
export const CONTEXT_RUNTIME = 'dist/context-runtime.mjs';

/** What is inside that is not ours has to be named, and its licence with it. */
const NOTICE = `// The context command of Palimpsest (MIT licence), made from apps/cli/src/context and libs/context-efficiency.
// Contains canonicalize, github.com/erdtman/canonicalize (Apache License 2.0, www.apache.org/licenses/LICENSE-2.0).
`;

export async function bundleContext(file = join(root, CONTEXT_RUNTIME)) {
  const bundle = await rolldown({
    input: join(root, ENTRY),
    cwd: root,
    platform: 'node',
    logLevel: 'silent',
    resolve: {
      conditionNames: ['palimpsest-source', 'node', 'import', 'default'],
      extensionAlias: { '.js': ['.ts', '.js'] },
    },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: false });
  await bundle.close();
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, output[0].code.replace('\n', `\n${NOTICE}`), { mode: 0o755 });
  renameSync(unfinished, file);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = resolve(process.argv[2] ?? join(root, CONTEXT_RUNTIME));
  await bundleContext(file);
  progress(`bundled ${file}`);
}
