import { generateKeyPairSync } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../config/configuration-error.js';
import { hostKeyOf, type HostKey } from './ed25519-keys.js';

/** The key of `PALIMPSEST_HOST_KEY_FILE`. @throws ConfigurationError that shows nothing of it */
export function readHostKey(path: string): HostKey {
  const problem = (text: string): ConfigurationError =>
    new ConfigurationError([{ variable: 'PALIMPSEST_HOST_KEY_FILE', problem: text }]);
  const pem = textOf(path);
  if (pem === undefined) throw problem('names no file that can be read');
  try {
    return hostKeyOf(pem);
  } catch {
    throw problem('names a file that holds no Ed25519 private key in PEM (PKCS #8)');
  }
}

/**
 * The key in a data folder, made where there is none: `host-key.pem`, readable by its owner only, and `host-key.pub` for
 * those who check certificates. Of two processes at once one makes it, and both use that.
 */
export function keptHostKey(folder: string): HostKey {
  const path = join(folder, 'host-key.pem');
  if (textOf(path) === undefined) makeKey(folder, path);
  const key = readHostKey(path);
  const published = join(folder, 'host-key.pub');
  if (textOf(published) !== key.publicKey) writeFileSync(published, key.publicKey);
  return key;
}

/** Whole at every moment, and never in place of one that is there. */
function makeKey(folder: string, path: string): void {
  mkdirSync(folder, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(unfinished, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  try {
    linkSync(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
