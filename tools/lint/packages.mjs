// The workspace's packages as lint sees them: name, folder, layer, and what each declares to depend on.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['libs', 'libs/adapters', 'libs/services', 'apps'];

/**
 * `{ name, folder, layer, doors, dependencies }`; the layer is the package's `type:` tag, doors are what it exports beside its
 * index and `./testing`.
 */
export const packages = FOLDERS.flatMap(packagesIn);

/** Suites and benchmarks: they take each other's doors, and nobody else takes theirs. */
export const testPackages = packagesIn('test').map(({ name }) => name);

function packagesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => existsSync(join(root, folder, entry.name, 'package.json')))
    .map((entry) => readPackage(`${folder}/${entry.name}`));
}

function readPackage(folder) {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const tag = manifest.nx?.tags?.find((candidate) => candidate.startsWith('type:'));
  return {
    name: manifest.name,
    folder,
    layer: tag?.slice('type:'.length) ?? 'none',
    doors: Object.keys(manifest.exports ?? {})
      .map((door) => door.slice('./'.length))
      .filter((door) => door !== '' && door !== 'testing'),
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }),
  };
}

/** A file's path from the root of the workspace, with forward slashes. */
export function placeOf(filename) {
  return relative(root, filename).split(sep).join('/');
}

export function packageAt(place) {
  return packages.find(({ folder }) => place.startsWith(`${folder}/`));
}

/** Specs, and what is offered to specs through the door `./testing`. */
export function isTestCode(place) {
  return /\.spec\.ts$/.test(place) || /\/src\/testing\//.test(place) || place.startsWith('test/');
}
