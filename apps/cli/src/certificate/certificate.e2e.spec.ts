import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CertificateLine, Verification } from '@palimpsest/contracts';
import {
  endAll,
  ended,
  firstLine,
  runCli,
  startCli,
  type CliEnd,
  type CliProcess,
} from '../testing/run-cli.js';

const TURNS = Array.from({ length: 12 }, (_, turn) => ({
  role: turn % 2 === 0 ? 'user' : 'assistant',
  content: `Turn ${turn} says ${'one more thing, '.repeat(40)}and is over.`,
}));

let folder: string;
let server: CliProcess;
let url: string;
let source: string;
let fork: string;

const cli = (...args: string[]): Promise<CliEnd> => runCli(args, { cwd: folder });
const json = async <Answer>(...args: string[]): Promise<Answer> =>
  JSON.parse((await cli(...args, '--json')).out) as Answer;
const path = (name: string): string => join(folder, name);
const apiKey = (): string =>
  (JSON.parse(readFileSync(path('.palimpsest/credentials.json'), 'utf8')) as { key: string }).key;
const KEY = join('.palimpsest', 'host-key.pub');
const offline = (file: string, ...more: string[]): Promise<CliEnd> =>
  cli('verify', '--offline', file, '--host-key', KEY, ...more);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-proof-'));
  server = startCli(['start', '--port', '0', '--json'], { cwd: folder });
  ({ url } = JSON.parse(await firstLine(server)) as { url: string });
  writeFileSync(path('chat.json'), JSON.stringify(TURNS));
  const imported = await json<{ runs: { runId: string }[] }>('import', 'chat.json', '--budget', '400');
  source = imported.runs[0]?.runId ?? '';
  const branch = await json<{ runId: string }>('fork', source, '--mode', 'branch', '--from', '6');
  ({ runId: fork } = await json<{ runId: string }>('fork', branch.runId, '--mode', 'branch', '--from', '5'));
  for (const run of [source, fork]) await cli('certificate', run, '--out', `${run}.ndjson`);
});

afterAll(async () => {
  const end = ended(server);
  server.kill('SIGINT');
  await end;
  await endAll();
  rmSync(folder, { recursive: true, force: true });
});

it('palimpsest start makes a key for its owner, and one to give away', () => {
  expect(statSync(path('.palimpsest/host-key.pem')).mode & 0o777).toBe(0o600);
  expect(readFileSync(path(KEY), 'utf8')).toMatch(/^-----BEGIN PUBLIC KEY-----/);
});

it('palimpsest certificate goes to standard output, too, and tells the rest to standard error', async () => {
  const { code, out, err } = await cli('certificate', source);
  const lines = out.trim().split('\n');
  expect(code).toBe(0);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ line: 'run', format: 'palimpsest.certificate.v1' });
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ line: 'end' });
  expect(err).toMatch(/^certificate: \d+ events, \d+ pieces of content, signed with the key [0-9a-f]{32}$/m);
  expect(out).not.toContain('one more thing');
});

it('palimpsest verify --offline confirms a run and a fork of a fork with the key that start left', async () => {
  const { log } = await json<Verification>('verify', source);
  for (const [run, events] of [
    [source, log?.eventsChecked],
    [fork, 5],
  ] as const) {
    const { code, out } = await offline(`${run}.ndjson`);
    expect([code, out]).toEqual([0, expect.stringContaining('verified: all is as this host recorded')]);
    expect(out).toContain(`events checked: ${events}\n`);
  }
  expect((await cli('verify', '--offline', `${source}.ndjson`)).code).toBe(1);
});

it('proves runs that the host executes, too, and replays of them', async () => {
  const answer = await fetch(`${url}/v1/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ workflowId: 'conformance-multi-node' }),
  });
  const { runId } = (await answer.json()) as { runId: string };
  await cli('events', runId, '--follow');
  const replay = await json<{ runId: string }>('fork', runId, '--mode', 'replay');
  for (const run of [runId, replay.runId]) {
    const verified = await cli('verify', run);
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('of one chain of hashes')]);
    await cli('certificate', run, '--out', 'executed.ndjson');
    expect(await offline('executed.ndjson')).toMatchObject({ code: 0 });
  }
});

it('compares content with what the API answers', async () => {
  const lines = readFileSync(path(`${source}.ndjson`), 'utf8')
    .trim()
    .split('\n');
  mkdirSync(path('content'));
  let last = '';
  for (const line of lines.map((text) => JSON.parse(text) as CertificateLine)) {
    if (line.line !== 'artifact') continue;
    last = line.artifact.artifactId;
    const answer = await fetch(`${url}/v1/runs/${source}/artifacts/${last}`, {
      headers: { authorization: `Bearer ${apiKey()}` },
    });
    writeFileSync(path(`content/${last}.json`), await answer.text());
  }
  const whole = await offline(`${source}.ndjson`, '--artifacts', 'content', '--json');
  const { artifacts } = JSON.parse(whole.out) as { artifacts: { listed: number; compared: number } };
  expect(whole.code).toBe(0);
  expect(artifacts.compared).toBe(artifacts.listed);
  cpSync(path('content'), path('altered'), { recursive: true });
  const document = readFileSync(path(`altered/${last}.json`), 'utf8');
  writeFileSync(path(`altered/${last}.json`), document.replace('more', 'mode'));
  const altered = await offline(`${source}.ndjson`, '--artifacts', 'altered');
  expect([altered.code, altered.out]).toEqual([
    1,
    expect.stringContaining(`${last}: the content at hand is not`),
  ]);
});

it('leaves no file where the server refuses', async () => {
  const end = await cli('certificate', 'run_unknown', '--out', 'unknown.ndjson');
  expect([end.code, end.err]).toEqual([3, expect.stringContaining('(not_found)')]);
  expect(existsSync(path('unknown.ndjson'))).toBe(false);
});
