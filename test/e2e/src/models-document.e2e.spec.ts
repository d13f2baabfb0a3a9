import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { examplesOf } from './api-document/document.js';
import { differences } from './api-document/printed.js';
import { runInOneShell } from './api-document/shell-session.js';
import { startAllInOne, type AllInOneDeployment } from './deployment.js';

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const MARKDOWN = readFileSync(at('docs/models.md'), 'utf8');
const SCRIPT = at('examples/scripted-model.mjs');
const WORKFLOWS = at('examples/workflows');

const blocksOf = (kind: string): readonly string[] =>
  [...MARKDOWN.matchAll(new RegExp(`^\`\`\`${kind}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);

describe('docs/models.md', () => {
  let model: ChildProcess;
  let running: AllInOneDeployment;

  beforeAll(async () => {
    const env = { PORT: '0' };
    model = spawn(process.execPath, [SCRIPT], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: model.stdout as NonNullable<ChildProcess['stdout']> });
    const [baseUrl] = (await once(lines, 'line')) as [string];
    running = await startAllInOne({
      PALIMPSEST_LOG_LEVEL: 'info',
      PALIMPSEST_WORKFLOWS_DIR: WORKFLOWS,
      PALIMPSEST_MODEL_PROVIDER: 'openai-compatible',
      PALIMPSEST_MODEL_BASE_URL: baseUrl,
      PALIMPSEST_MODEL_NAME: 'scripted',
    });
  });
  afterAll(async () => {
    model?.kill();
    await running?.stop();
  });

  it('shows the files that its example is made of', () => {
    const documents = blocksOf('json').map((text) => JSON.parse(text) as unknown);
    for (const name of ['incident', 'read-logs'])
      expect(documents).toContainEqual(JSON.parse(readFileSync(`${WORKFLOWS}/${name}.json`, 'utf8')));
    expect(blocksOf('js')).toEqual([readFileSync(SCRIPT, 'utf8')]);
  });

  it('has its example decided without a provider, and takes over what its worker returns', async () => {
    const [example] = examplesOf(MARKDOWN.slice(MARKDOWN.indexOf('## Without a provider')));
    const session = await runInOneShell([example?.script ?? 'false'], {
      PALIMPSEST_URL: running.url,
      PALIMPSEST_API_KEY: running.key,
    });
    expect(session).toMatchObject({ failed: false, complaints: '' });
    const printed: unknown = JSON.parse(session.printed[0] ?? '');
    expect(differences(JSON.parse(example?.printed?.text ?? ''), printed)).toEqual([]);
  });
});
