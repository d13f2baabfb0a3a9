import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, parse, resolve } from 'node:path';
import { UsageError } from '../program/cli-error.js';

/** What `start` leaves for the other commands. */
export type Credentials = { readonly url: string; readonly key: string };

/** Of `start`, where nothing else is said. */
export const DATA_FOLDER = '.palimpsest';
export const CREDENTIALS_FILE = join(DATA_FOLDER, 'credentials.json');

/** The nearest file at or above a folder, of this user: another's would send our key and content to a server of theirs. */
export function nearestCredentials(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = join(at, CREDENTIALS_FILE);
    if (isOurs(path)) return path;
    if (at === parse(at).root) return undefined;
  }
}

function isOurs(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.uid === (process.getuid?.() ?? found.uid);
}

/** What to do about a file that somebody named, which may be anything of theirs. */
export const NAME_ANOTHER = 'Name another file: "palimpsest start" writes .palimpsest/credentials.json.';
const WRITE_ANEW = 'Remove it; "palimpsest start" writes it anew.';

/** @throws UsageError where the file is none of ours, with what to do about it */
export function readCredentials(path: string, hint = WRITE_ANEW): Credentials {
  const { url, key } = parseFile(path, hint);
  if (typeof url !== 'string' || typeof key !== 'string') {
    throw new UsageError(`${path} holds no url and key`, hint);
  }
  return { url, key };
}

function parseFile(path: string, hint: string): Partial<Record<keyof Credentials, unknown>> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}`);
  }
  try {
    return (JSON.parse(text) ?? {}) as Partial<Record<keyof Credentials, unknown>>;
  } catch {
    throw new UsageError(`${path} is not valid JSON`, hint);
  }
}

/** Readable by its owner only, and whole at every moment. */
export function writeCredentials(path: string, credentials: Credentials): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, path);
}
