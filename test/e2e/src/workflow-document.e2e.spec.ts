import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { examplesOf } from './api-document/document.js';
import { differences } from './api-document/printed.js';
import { runInOneShell, type Session } from './api-document/shell-session.js';
import { startAllInOne, type AllInOneDeployment } from './deployment.js';

const MARKDOWN = readFileSync(new URL('../../../docs/workflows.md', import.meta.url), 'utf8');
const EXAMPLES = examplesOf(MARKDOWN).map((example, place) => ({ ...example, place }));
const WORKFLOWS = fileURLToPath(new URL('../../../examples/workflows', import.meta.url));

type Snapshot = Readonly<Record<'status' | 'outputs' | 'error', unknown>>;

describe('docs/workflows.md and examples/workflows', () => {
  let running: AllInOneDeployment;
  let session: Session;

  beforeAll(async () => {
    running = await startAllInOne({ PALIMPSEST_LOG_LEVEL: 'info', PALIMPSEST_WORKFLOWS_DIR: WORKFLOWS });
    session = await runInOneShell(
      EXAMPLES.map(({ script }) => script),
      { PALIMPSEST_URL: running.url, PALIMPSEST_API_KEY: running.key },
    );
  });

  afterAll(() => running?.stop());

  const start = async (inputs: object): Promise<string> => {
    const body = { workflowId: 'release-approval', inputs: { build: '4711', soakMs: 1, ...inputs } };
    const { runId } = (await running.api.ok(running.api.post('/v1/runs', body))) as { runId: string };
    return runId;
  };

  /** The run at its end: the stream ends with it. */
  const endOf = async (runId: string): Promise<Snapshot> => {
    const headers = { authorization: `Bearer ${running.key}`, accept: 'text/event-stream' };
    await (await fetch(`${running.url}/v1/runs/${runId}/events`, { headers })).text();
    return (await running.api.ok(running.api.get(`/v1/runs/${runId}`))) as Snapshot;
  };

  it('runs all its examples in one shell', () => {
    expect(session).toMatchObject({ failed: false, complaints: '' });
    expect(session.printed).toHaveLength(EXAMPLES.length);
  });

  it.each(EXAMPLES.filter(({ printed }) => printed))('prints what stands below line $line', (example) => {
    const actual: unknown = JSON.parse(session.printed[example.place] ?? '');
    expect(differences(JSON.parse(example.printed?.text ?? ''), actual)).toEqual([]);
  });

  it('asks nobody where a release is not risky', async () => {
    const ended = await endOf(await start({ environment: 'staging' }));
    expect(ended).toMatchObject({ status: 'completed', outputs: { released: true, build: '4711' } });
  });

  it('handles a rejection', async () => {
    const runId = await start({ changes: Array.from({ length: 11 }, (_, place) => `c-${place}`) });
    await running.api.ok(running.api.get(`/v1/runs/${runId}/events/poll?lastSequence=4&timeout=30`));
    const answer = { resumeValue: { action: 'reject' } };
    await running.api.ok(running.api.post(`/v1/runs/${runId}/interrupts/approve`, answer));
    const ended = await endOf(runId);
    expect(ended).toMatchObject({ status: 'completed', outputs: { released: false, build: '4711' } });
  });
});
