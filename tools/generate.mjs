#!/usr/bin/env node
// `npm run generate`: writes the files that are made from code, where they are stale, and names them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { progress, root, run } from './console.mjs';
import { CLIENT_TYPES, clientTypes } from './generate-client.mjs';
import { CONFIGURATION_DOCS, configurationDocs } from './generate-configuration-docs.mjs';

// Only what the files are made from: the rest may not compile before they are made. A type error somewhere in it does
// not keep its code from being built, and is for `npm run verify` to refuse.
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const build = await run(process.execPath, [tsc, '-b', 'libs/services/gateway', 'libs/host']);
if (build !== 0) progress('generate: there are type errors, see above; going on with what was built');

const { openApiDocument } = await import('@palimpsest/gateway');
const { PROCESS_VARIABLES, describeVariables } = await import('@palimpsest/host');

await write(CLIENT_TYPES, clientTypes(openApiDocument()));
await write(CONFIGURATION_DOCS, configurationDocs(PROCESS_VARIABLES, describeVariables));

async function write(path, making) {
  const file = join(root, path);
  const text = await making;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return progress(`unchanged  ${path}`);
  writeFileSync(file, text);
  progress(`written    ${path}`);
}
