import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MESSAGES, OPERATION_NAMES } from '@palimpsest/context-efficiency';
import { codeWords, examplesOf } from './api-document/document.js';
import { differences } from './api-document/printed.js';
import { runInOneShell, type Session } from './api-document/shell-session.js';
import { startAllInOne, type AllInOneDeployment } from './deployment.js';

const MARKDOWN = readFileSync(new URL('../../../docs/context-efficiency.md', import.meta.url), 'utf8');
const EXAMPLES = examplesOf(MARKDOWN).map((example, place) => ({ ...example, place }));
const BUNDLER = fileURLToPath(new URL('../../../tools/bundle-context.mjs', import.meta.url));

describe('docs/context-efficiency.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-context-document-'));
  let running: AllInOneDeployment;
  let session: Session;

  beforeAll(async () => {
    running = await startAllInOne();
    const RUNTIME = join(folder, 'context-runtime.mjs');
    execFileSync(process.execPath, [BUNDLER, RUNTIME], { stdio: 'pipe' });
    session = await runInOneShell(
      EXAMPLES.map(({ script }) => script),
      { RUNTIME, PALIMPSEST_URL: running.url, PALIMPSEST_API_KEY: running.key },
    );
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await running?.stop();
  });

  it('runs all its examples in one shell', () => {
    expect(session).toMatchObject({ failed: false, complaints: '' });
    expect(session.printed).toHaveLength(EXAMPLES.length);
  });

  it.each(EXAMPLES.filter(({ printed }) => printed))('prints what stands below line $line', (example) => {
    const actual: unknown = JSON.parse(session.printed[example.place] ?? '');
    expect(differences(JSON.parse(example.printed?.text ?? ''), actual)).toEqual([]);
  });

  it('has an example of every operation, and every code', () => {
    for (const name of OPERATION_NAMES) expect(MARKDOWN).toMatch(new RegExp(`^.*context ${name}\\b`, 'm'));
    const documented = codeWords(MARKDOWN.slice(MARKDOWN.indexOf('## Codes')));
    expect(Object.keys(MESSAGES).filter((code) => !documented.includes(code))).toEqual([]);
  });
});
