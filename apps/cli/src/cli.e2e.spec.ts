import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunDiff, RunEvent, Usage } from '@palimpsest/contracts';
import type { RunPage } from './client/palimpsest-api.js';
import { describeRegistryCommands } from './testing/registry-commands.js';
import {
  endAll,
  ended,
  firstLine,
  runCli,
  saidUntil,
  startCli,
  type CliEnd,
  type CliProcess,
} from './testing/run-cli.js';

type Imported = { readonly runs: readonly ({ readonly runId: string } & Record<string, unknown>)[] };
type Forked = { readonly runId: string; readonly status: string };

let folder: string;
let server: CliProcess;
let started: { url: string; newKey?: string; credentials: string };

async function startServer(): Promise<void> {
  server = startCli(['start', '--port', '0', '--json'], { cwd: folder });
  started = JSON.parse(await firstLine(server));
}

async function stopServer(): Promise<number | null> {
  const end = ended(server);
  server.kill('SIGINT');
  return (await end).code;
}

const keptKey = (): string =>
  (JSON.parse(readFileSync(join(folder, started.credentials), 'utf8')) as { key: string }).key;

const cli = (...args: string[]): Promise<CliEnd> => runCli(args, { cwd: folder });
const json = async <Answer>(...args: string[]): Promise<Answer> =>
  JSON.parse((await cli(...args, '--json')).out) as Answer;
const eventsIn = (lines: string): readonly RunEvent[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RunEvent);
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};

const call = (id: string): object => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: `{"place":"${id}"}` },
});
const SESSION = [
  { role: 'system', content: 'Answer briefly.' },
  { role: 'user', content: 'Look into cupboards A and B, never into C.' },
  { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
  { role: 'tool', tool_call_id: 'b', content: `B holds ${'a plate, '.repeat(60)}and key K-17.` },
  { role: 'tool', tool_call_id: 'a', content: `A holds ${'a cup, '.repeat(60)}and note N-4.` },
  { role: 'assistant', content: 'K-17 is in B, N-4 in A.' },
  { role: 'user', content: `Thanks. ${'And what else is there? '.repeat(30)}` },
  { role: 'assistant', content: `Cups and plates. ${'Nothing that matters. '.repeat(30)}` },
];
const ORPHAN = [
  { role: 'user', content: 'Hi' },
  { role: 'tool', tool_call_id: 'x', content: 'seen' },
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-cli-'));
  await startServer();
});

afterAll(async () => {
  await stopServer();
  await endAll();
  rmSync(folder, { recursive: true, force: true });
});

describe('palimpsest start', () => {
  it('leaves a credentials file that only its owner reads, with the key it has shown', () => {
    expect(started.newKey).toMatch(/^pal_/);
    expect(statSync(join(folder, '.palimpsest', 'credentials.json')).mode & 0o777).toBe(0o600);
  });

  it('says at once that a port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const end = await cli('start', '--port', String(port), '--data-dir', 'elsewhere');
    expect([end.code, end.err]).toEqual([
      3,
      expect.stringContaining(`port ${port} on 127.0.0.1 is in use (port_unavailable)`),
    ]);
    other.close();
  });

  it.each([
    [
      'another one has the data folder',
      ['--port', '0'],
      /^palimpsest: another "palimpsest start" runs on the data folder .+ \(data_dir_in_use\)\n {2}Stop it, or take another --data-dir\.\n$/m,
    ],
    [
      'an address is not of this machine',
      ['--host', '203.0.113.5', '--data-dir', 'elsewhere'],
      /^palimpsest: --host 203\.0\.113\.5 is no address of this machine \(host_unavailable\)\n {2}Leave --host .*\n$/,
    ],
  ])('says what to change where %s', async (_, args, expected) => {
    const end = await cli('start', ...args);
    expect([end.code, end.err]).toEqual([3, expect.stringMatching(expected)]);
  });

  it.each([
    [
      'a folder of workflows that is not there',
      { PALIMPSEST_WORKFLOWS_DIR: 'nowhere' },
      /^ {2}PALIMPSEST_WORKFLOWS_DIR: the folder nowhere cannot be read$/m,
    ],
    [
      'a model without a provider',
      { PALIMPSEST_MODEL_NAME: 'm-1' },
      /^ {2}PALIMPSEST_MODEL_PROVIDER: is required where PALIMPSEST_MODEL_NAME is set$/m,
    ],
  ])('ends with 2 for %s', async (_, env, expected) => {
    const end = await runCli(['start', '--port', '0', '--data-dir', 'elsewhere'], { cwd: folder, env });
    expect([end.code, end.err]).toEqual([2, expect.stringMatching(expected)]);
  });

  it('stops with 0, and the next start goes on with data and key', async () => {
    file('kept.json', JSON.stringify(SESSION));
    await cli('import', 'kept.json');
    await expect(stopServer()).resolves.toBe(0);
    await startServer();
    expect(started.newKey).toBeUndefined();
    const { runs } = await json<RunPage>('runs');
    expect(runs[0]?.metadata).toEqual({ importedFrom: 'kept.json', conversation: 'kept.json' });
  });

  it('says which keys of earlier starts still open where it makes another', async () => {
    const key = keptKey();
    await stopServer();
    rmSync(join(folder, started.credentials));
    const again = startCli(['start', '--port', '0'], { cwd: folder });
    const said = await saidUntil(again, '"npx palimpsest --help"');
    again.kill('SIGINT');
    await ended(again);
    await startServer();
    expect(said).toMatch(/^ {2}key {9}pal_/m);
    expect(said).toMatch(/^ +1 key of earlier starts still opens\. To list and end them:$/m);
    expect(said).toContain(`  npx palimpsest keys revoke ${key.slice(4, 16)}\n`);
    expect(said).toContain('  npx palimpsest import examples/incident-session.jsonl --budget 4000\n');
    expect(said).toContain('  export PALIMPSEST_API_KEY=…');
  });
});

describe('one run', () => {
  let runId: string;
  let imported: Imported['runs'][number] | undefined;

  beforeAll(async () => {
    file('session.jsonl', SESSION.map((message) => JSON.stringify(message)).join('\n'));
    const { runs } = await json<Imported>('import', 'session.jsonl', '--budget', '400', '--keep-last', '1');
    imported = runs[0];
    expect(imported).toMatchObject({ turns: 6, windows: 4, violations: [] });
    runId = imported?.runId ?? '';
  });

  it('is listed', async () => {
    const { out, code } = await cli('runs');
    expect(code).toBe(0);
    expect(out.split('\n')[1]).toMatch(
      new RegExp(`^${runId} +running +palimpsest-external +\\S+ \\S+ [+-]\\d\\d:\\d\\d +8 +400 o200k`),
    );
    expect((await json<RunPage>('runs', '--status', 'completed')).runs).toEqual([]);
  });

  it('shows its last window, with fates, whole, and as providers take it', async () => {
    const shown = await cli('window', runId, '--why');
    expect(shown.out).toMatch(/^window 4 of /);
    expect(shown.out).toMatch(/^ *#\d+ +turn +assistant +/m);
    expect(shown.out).toMatch(/summarized|evicted/);
    const whole = await cli('window', runId, '2', '--full');
    expect(whole.out).toContain('Look into cupboards A and B, never into C.');
    const openai = JSON.parse((await cli('window', runId, '2', '--format', 'openai')).out);
    expect(openai[0]).toEqual({ role: 'system', content: 'Answer briefly.' });
    const anthropic = JSON.parse((await cli('window', runId, '2', '--format', 'anthropic')).out);
    expect(anthropic.system).toEqual([{ type: 'text', text: 'Answer briefly.' }]);
  });

  it('counts what it was fed as its import did', async () => {
    const usage = await json<Usage>('usage', runId);
    expect(usage.iterations).toHaveLength(4);
    expect(imported).toMatchObject(usage.total);
    const { out } = await cli('usage', runId);
    expect(out).toContain(`fed ${usage.total.fedTokens.toLocaleString('en-US')} instead of`);
  });

  it('pins a text, lists it and removes it', async () => {
    const { runId: fork } = await json<{ runId: string }>('fork', runId, '--mode', 'branch', '--from', '6');
    const added = await json<{ pinId: string; tokens: number }>('pin', 'add', fork, 'Be brief.');
    const { out } = await cli('pin', 'list', fork);
    expect(out).toMatch(new RegExp(`^${added.pinId} .* ${added.tokens}$`, 'm'));
    expect(out).not.toContain('brief');
    const removed = await cli('pin', 'remove', fork, added.pinId);
    expect([removed.code, removed.out.trim()]).toEqual([0, `${added.pinId}  removed`]);
    expect((await cli('pin', 'remove', fork, added.pinId)).code).toBe(3);
    const tooLong = await cli('pin', 'add', fork, 'Be very brief. '.repeat(200));
    expect([tooLong.code, tooLong.err]).toEqual([
      3,
      expect.stringMatching(/\(context_budget_infeasible\)\n {2}Pin a shorter text, or remove a pin .*\n$/),
    ]);
    const pinned = await json<{ pinId: string }>('pin', 'add', fork, '--event', `evt-${fork}-2`);
    expect((await cli('pin', 'list', fork)).out).toMatch(new RegExp(`^${pinned.pinId} +evt-${fork}-2 `, 'm'));
    for (const words of [[], ['Be brief.', '--event', 'evt']]) {
      expect((await cli('pin', 'add', fork, ...words)).code).toBe(2);
    }
  });

  it('lists events without content', async () => {
    const { out } = await cli('events', runId);
    expect(out).toMatch(/^ *#0 +\S+ +run\.started +budget 400 o200k_base, sliding-window$/m);
    expect(out).not.toContain('K-17');
    const events = eventsIn((await cli('events', runId, '--json')).out);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
  });

  it('branches off under other settings, which stand on the log of the branch', async () => {
    const from = ['fork', runId, '--mode', 'branch', '--from', '6'];
    const { runId: branch } = await json<Forked>(
      ...from,
      ...['--budget', '900', '--counter', 'chars', '--strategy', 'none', '--set', 'temperature=0.2'],
    );
    const { out } = await cli('events', branch);
    expect(out).toMatch(/palimpsest\.run\.overlaid +budget 900 chars, none, configurable$/m);
    expect((await cli('verify', branch)).code).toBe(0);
    const refused = await cli(...from, '--budget', '20');
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('(context_budget_infeasible)')]);
    expect((await cli('fork', runId, '--mode', 'replay', '--budget', '900')).code).toBe(2);
  });

  it('is replayed without a summarizer call, verified, branched and finished', async () => {
    const replay = await json<Forked>('fork', runId, '--mode', 'replay');
    expect(replay.status).toBe('running');
    const verified = await cli('verify', replay.runId);
    expect(verified.code).toBe(0);
    expect(verified.out).toMatch(new RegExp(`^compared with ${runId}: 4 windows`, 'm'));
    expect(verified.out).toMatch(/^summaries that this run had made: 0$/m);
    const branch = await json<Forked>('fork', runId, '--mode', 'branch', '--from', '5');
    expect(branch).toMatchObject({ sourceRunId: runId, fromSeq: 5, mode: 'branch', status: 'running' });
    const equal = await cli('diff', replay.runId, runId);
    expect([equal.code, equal.out]).toEqual([0, expect.stringMatching(/^identical: /m)]);
    expect(equal.out).toMatch(/^ +4 +same /m);
    const differing = await cli('diff', runId, branch.runId);
    expect([differing.code, differing.out]).toEqual([
      1,
      expect.stringMatching(
        /^2 comes from 1: 5 events shared\nthe runs differ\nfirst divergence: event 5, .* in 1 where 2 ends/m,
      ),
    ]);
    const { windows } = await json<RunDiff>('diff', runId, branch.runId, '--from', '2', '--limit', '1');
    expect(windows.map(({ iteration }) => iteration)).toEqual([2]);
    const following = ended(startCli(['events', runId, '--follow', '--json'], { cwd: folder }));
    expect((await cli('finish', runId)).out).toBe(`${runId}  completed\n`);
    const followed = eventsIn((await following).out);
    expect(followed.at(-1)?.type).toBe('run.completed');
    const listed = eventsIn((await cli('events', runId, '--json')).out);
    expect(followed.map(({ sequence }) => sequence)).toEqual(listed.map(({ sequence }) => sequence));
  });

  it('is erased where that is meant, while its log stays', async () => {
    const name = file('erased.json', JSON.stringify(SESSION));
    const { runs } = await json<Imported>('import', name, '--budget', '400');
    const erased = runs[0]?.runId ?? '';
    const { out } = await cli('events', erased, '--json');
    expect((await cli('erase', erased)).code).toBe(2);
    expect((await cli('window', erased, '1')).code).toBe(0);
    const { artifactId } =
      eventsIn(out).find(({ payload }) => payload['artifactId'] !== undefined)?.payload ?? {};
    expect((await cli('erase', erased, artifactId as string, '--yes')).out).toMatch(/^art_\S+ {2}erased$/m);
    const done = await cli('erase', erased, '--yes');
    expect([done.code, done.err]).toEqual([0, '']);
    expect(done.out).toMatch(new RegExp(`^${erased} {2}\\d+ pieces of content erased now\n$`));
    const gone = await cli('window', erased, '1');
    expect([gone.code, gone.err]).toEqual([3, expect.stringContaining('(artifact_erased)')]);
    expect((await cli('events', erased, '--json')).out).toBe(out);
  });

  it('ends quietly where the reader has enough', async () => {
    const child = startCli(['events', runId], { cwd: folder });
    child.stdout.destroy();
    const err = new Promise<string>((resolve) => {
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString())).on('end', () => resolve(said));
    });
    await expect(err).resolves.toBe('');
  });
});

describe('palimpsest import', () => {
  it('reads standard input, finishes, and asks in the middle of results where it is told to', async () => {
    const end = await runCli(
      [
        'import',
        '-',
        '--counter',
        'chars',
        '--budget',
        '1500',
        '--window-every',
        'message',
        '--finish',
        '--json',
      ],
      {
        cwd: folder,
        input: JSON.stringify({ messages: SESSION }),
      },
    );
    expect(end.code).toBe(0);
    const [run] = JSON.parse(end.out).runs;
    expect(run).toMatchObject({ label: 'stdin', windows: 7, violations: [] });
    expect((await json<RunPage>('runs', '--status', 'completed', '--limit', '1')).runs[0]?.runId).toBe(
      run.runId,
    );
  });

  it('reports what is refused with line and code, and goes on with the others', async () => {
    const text = [
      { id: 'one', messages: SESSION },
      { id: 'two', messages: ORPHAN },
      { id: 'three' },
      { id: 'four', messages: SESSION },
    ];
    file('some.jsonl', text.map((line) => JSON.stringify(line)).join('\n'));
    const end = await cli('import', 'some.jsonl', '--budget', '600');
    expect(end.code).toBe(1);
    expect(end.err).toContain(
      'two, line 2, message 2: answers a tool call that is not open. (tool_result_without_call)',
    );
    expect(end.err + end.out).not.toContain('messages.');
    expect(end.out).toMatch(/^2 conversations refused, see below$/m);
    expect(end.err).toContain('three, line 3: has no list of messages');
    expect(end.out).toMatch(/^run_\S+ +four +6 +4 /m);
    expect(end.out).toMatch(/all legal, none above it/);
  });

  it.each([
    ['a file that is not there', 'nowhere.json', 'there is no such file'],
    ['a folder', '.', 'it is a folder'],
    ['text', 'text.txt', 'text.txt is not valid JSON: line 1, column 1'],
  ])('ends with 2 for %s', async (_, name, message) => {
    file('text.txt', 'Dear diary');
    const end = await cli('import', name);
    expect([end.code, end.err]).toEqual([2, expect.stringContaining(message)]);
    expect(end.err).not.toContain('diary');
  });
});

describe('failures', () => {
  const NO_WINDOWS =
    /^palimpsest: The host executes this run: it has no windows and no usage\. .* \(not_found\)$/m;
  it.each([
    ['usage', NO_WINDOWS],
    ['window', NO_WINDOWS],
    [
      'finish',
      /^palimpsest: The host executed this run, and it has ended: .* completed\. \(run_not_active\)$/m,
    ],
  ])('of a run that the host executes are told as that: %s', async (word, expected) => {
    const key = keptKey();
    const answer = await fetch(`${started.url}/v1/runs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ workflowId: 'conformance-noop' }),
    });
    const { runId } = (await answer.json()) as { runId: string };
    if (word === 'finish') await ended(startCli(['events', runId, '--follow'], { cwd: folder }));
    const end = await cli(word, runId);
    expect([end.code, end.err]).toEqual([3, expect.stringMatching(expected)]);
  });

  it('at the root say what is served', async () => {
    const answer = await fetch(started.url);
    const { message } = (await answer.json()) as { message: string };
    expect([answer.status, message]).toEqual([
      404,
      expect.stringMatching(/\/docs and \/\.well-known\/openwop/),
    ]);
  });

  it.each([
    ['an unknown run', ['verify', 'run_unknown'], 'not_found'],
    ['a run to compare with that is unknown', ['diff', 'run_unknown', 'run_unknown'], 'not_found'],
    ['a window that is not there', ['window', 'run_unknown', '4'], 'not_found'],
    [
      'a budget that cannot hold the turns',
      ['import', 'session.jsonl', '--budget', '10'],
      'context_budget_infeasible',
    ],
    ['a key that is none', ['runs', '--key', 'nonsense'], 'unauthenticated'],
    ['a server that is not there', ['runs', '--url', 'http://127.0.0.1:9', '--key', 'k'], 'unreachable'],
  ])('end with 3 and one line for %s', async (_, args, code) => {
    const { code: exit, err, out } = await cli(...args);
    expect([exit, out]).toEqual([3, '']);
    expect(err.split('\n')[0]).toMatch(new RegExp(`^palimpsest: .+ \\(${code}\\)$`));
    expect(err).not.toMatch(/ at .*:\d+:\d+/);
  });

  it('end with 3 where no server is known', async () => {
    const end = await runCli(['runs'], { cwd: tmpdir() });
    expect([end.code, end.err.split('\n')[0]]).toEqual([
      3,
      'palimpsest: no server is known here (no_server)',
    ]);
  });

  it('end with 2 for a branch from nowhere', async () => {
    expect((await cli('fork', 'run_x', '--mode', 'branch')).code).toBe(2);
  });
});

describe('commands on workgroups and rollouts', () => {
  describeRegistryCommands(() => ({ url: started.url, key: keptKey(), folder, cli }));
});
