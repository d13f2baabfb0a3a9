// Brings in what is missing in a clone: packages as locked, and a build. Needs nothing but Node and npm.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, fail, progress, root, run } from './console.mjs';

const LEAST_NODE = [20, 19];

export async function setup() {
  await packages();
  await built();
}

export async function packages() {
  checkNode();
  if (!isInstalled()) await install();
}

export async function built() {
  await build();
  await bundle();
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return;
  fail(`Palimpsest needs Node ${LEAST_NODE.join('.')} or newer; this is ${process.version}.`);
}

/** Compares what npm noted at its last install with the lock; packages of other platforms may be absent. */
function isInstalled() {
  const installed = packagesOf(join('node_modules', '.package-lock.json'));
  if (!installed) return false;
  return Object.entries(packagesOf('package-lock.json') ?? {}).every(([path, wanted]) => {
    if (path === '' || !path.includes('node_modules/')) return true;
    const found = installed[path];
    return found ? found.version === wanted.version : wanted.optional === true || wanted.peer === true;
  });
}

function packagesOf(lock) {
  const path = join(root, lock);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined;
}

async function install() {
  progress('installing packages (npm ci)');
  const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--include=dev', '--include=optional'];
  const code = await run('npm', [...args, '--loglevel=error'], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (code !== 0) fail('npm ci failed: see above.');
}

/** `tsc -b` itself knows what is stale. */
async function build() {
  if (!existsSync(join(root, 'libs/kernel/dist/index.js'))) progress('building');
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const built = await ask(process.execPath, [tsc, '-b'], { cwd: root });
  if (!built.ok) fail(`The build failed:\n${built.output}`);
}

/** What adapters copy. Loaded late: the bundler comes with the packages. */
async function bundle() {
  const { bundleContext } = await import('./bundle-context.mjs');
  await bundleContext();
}
