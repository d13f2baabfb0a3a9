import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkflowVersion } from '@palimpsest/contracts';
import { isPalimpsestError, TerminalError } from '@palimpsest/kernel';
import { parseDefinition, problemsText } from './problem-texts.js';
import { workflowVersionOf } from './workflow-version.js';

/** The bundled fixtures (host specification §10.2), beside `src` and beside `dist`. */
export const FIXTURES_DIRECTORY = fileURLToPath(new URL('../../fixtures', import.meta.url));

/** A definition file that cannot be used: which, all that is wrong in it, and where the first of it is. */
export class DefinitionFileError extends TerminalError {
  constructor(file: string, problem: string, options: { field?: string; cause?: unknown } = {}) {
    super('validation_error', `The workflow definition ${file} cannot be used: ${problem}`, {
      details: { file, ...(options.field !== undefined && { field: options.field }) },
      cause: options.cause,
    });
  }
}

export type DefinitionFile = { readonly file: string; readonly version: WorkflowVersion };

/** Every `*.json` of a folder, in the order of names. @throws DefinitionFileError for the first that cannot be used */
export async function readDefinitionFiles(directory: string): Promise<readonly DefinitionFile[]> {
  const files = (await namesIn(directory)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(files.map((name) => readDefinitionFile(join(directory, name))));
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (cause) {
    throw new DefinitionFileError(basename(directory), 'the folder cannot be read.', { cause });
  }
}

async function readDefinitionFile(path: string): Promise<DefinitionFile> {
  const file = basename(path);
  const parsed = parseDefinition(await parsedJson(path, file));
  if ('problems' in parsed) {
    const field = parsed.problems[0]?.path ?? '(body)';
    throw new DefinitionFileError(file, problemsText(parsed.problems), { field });
  }
  try {
    return { file, version: workflowVersionOf(parsed.definition) };
  } catch (error) {
    if (!isPalimpsestError(error)) throw error;
    const field = error.details?.['field'];
    throw new DefinitionFileError(file, error.message, typeof field === 'string' ? { field } : {});
  }
}

async function parsedJson(path: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown;
  } catch {
    // The parser's own message would repeat a part of the file.
    throw new DefinitionFileError(file, 'it is not a readable JSON file.');
  }
}
