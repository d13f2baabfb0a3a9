import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { canonicalJson } from '@palimpsest/context-efficiency';
import { answerOf, ContextCli, endOf } from '../testing/context-cli.js';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-context-')));
const BUNDLE = join(folder, 'context-runtime.mjs');
const MEBIBYTE = 1_048_576;

const bundled = new ContextCli([BUNDLE]);
const PROGRAMS = [
  ['context-runtime.mjs', bundled],
  ['palimpsest context', new ContextCli([at('../../dist/main.js'), 'context'])],
] as const;

beforeAll(() => {
  execFileSync(process.execPath, [at('../../../../tools/bundle-context.mjs'), BUNDLE], { stdio: 'pipe' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LOCAL = { ok: true, operation: 'route', result: { mode: 'local', reason_codes: ['BLOCKING'] } };
const BLOCKING = { input: { blocking: true } };
const code = (name: string): object => expect.objectContaining({ ok: false, code: name }) as object;

describe.each(PROGRAMS)('%s', (_, cli) => {
  it('answers', async () => expect(await cli.answer('route', BLOCKING)).toEqual(LOCAL));

  it('has the ninth word', async () =>
    expect(await cli.answer('promotion', { pairs: [] })).toEqual(code('INVALID_REQUEST')));

  it.each([
    ['no word', []],
    ['an empty word', ['']],
  ])('with %s reads nothing', async (__, words) => {
    // standard input stays open: whoever read it would wait
    const child = cli.start(words);
    expect(answerOf(await endOf(child))).toEqual(code('UNSUPPORTED_OPERATION'));
  });

  it('knows no other word, once the request is read', async () => {
    expect(await cli.answer('routes', BLOCKING)).toEqual(code('UNSUPPORTED_OPERATION'));
    expect(answerOf(await cli.run(['routes'], 'x'))).toEqual(code('INVALID_REQUEST'));
  });

  it('takes 1048576 bytes', async () => {
    const request = JSON.stringify(BLOCKING).padEnd(MEBIBYTE);
    expect(answerOf(await cli.run(['route'], request))).toEqual(LOCAL);
  });

  it('answers at the first byte too many, though the sender holds the pipe open', async () => {
    const child = cli.start(['route']);
    child.stdin.write(' '.repeat(MEBIBYTE + 1));
    expect(answerOf(await endOf(child))).toEqual(code('REQUEST_TOO_LARGE'));
  });

  it('has read every byte before it decodes', async () => {
    const child = cli.start(['route']);
    const bytes = Buffer.from('{"input":{"blocking":true,"note":"é"}}');
    const half = bytes.indexOf(0xc3) + 1;
    child.stdin.write(bytes.subarray(0, half), () => child.stdin.end(bytes.subarray(half)));
    expect(answerOf(await endOf(child))).toEqual(LOCAL);
  });

  it.each([
    ['nothing', ''],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['a list', '[]'],
  ])('refuses %s', async (__, input) =>
    expect(answerOf(await cli.run(['route'], input))).toEqual(code('INVALID_REQUEST')),
  );

  it('does not mind nesting', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const end = await cli.run(['route'], `{"input":{"blocking":true,"deep":${deep}}}`);
    expect(answerOf(end)).toEqual(LOCAL);
  });

  it('is silent where nobody reads', async () => {
    const child = cli.start(['route']);
    child.stdout.destroy();
    child.stdin.end(JSON.stringify(BLOCKING));
    const [said] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect(said).toBe('');
  });

  it('shows nothing of a request that it refuses', async () => {
    const secret = 'sk-live_0123456789';
    const request = { [secret]: secret, input: { owned_files: [`../${secret}`], active_writers: secret } };
    const { out, err } = await cli.run(['route', secret], JSON.stringify(request));
    expect(out + err).not.toContain(secret);
  });
});

test('the single file needs nothing but Node, and knows nothing of where it was made', () => {
  const code = readFileSync(BUNDLE, 'utf8');
  const imported = [...code.matchAll(/^(?:import|export) .*from "(.*)";$|\b(?:import|require)\("(.*)"\)/gm)];
  const names = imported.map(([, one, other]) => one ?? other);
  expect([...new Set(names)].sort()).toEqual(['node:crypto', 'node:fs', 'node:path']);
  expect(code).not.toContain(at('../../../../'));
  expect(code).toMatch(/^#!\/usr\/bin\/env node\n\/\/ .*MIT[^]*Apache License 2\.0/);
});

describe('nothing written, no network', () => {
  const CAPSULE = {
    schema: 'knowzcode.context-capsule/v1',
    task_id: 'T-9',
    workgroup_id: 'wg-2',
    phase: '1B',
    objective: 'Name the fork events.',
    node_ids: ['Fork'],
    owned_files: [],
    read_files: ['docs/fork.md'],
    specs: [],
    approved_decisions: [],
    risks: [],
    constraints: [],
    checkpoint_sha: null,
    failures: [],
    next_action: 'List the event names.',
    evidence: [{ kind: 'log', summary: 'x'.repeat(500) }],
  };
  const REQUESTS: readonly (readonly [string, object])[] = [
    ['route', { input: { owned_files: ['a'], active_writers: [{ owned_files: ['b'] }] } }],
    ['lineage', { lineage: null, current: {} }],
    [
      'capsule',
      {
        capsule: CAPSULE,
        max_bytes: 600,
        artifact_path: 'knowzcode/artifacts/e',
        artifact_roots: ['knowzcode/artifacts'],
      },
    ],
    [
      'telemetry',
      { event: { event: 'gate_outcome', observed_at: '2031-03-10T12:00:00Z', provider: 'claude' } },
    ],
    [
      'rollout',
      { input: { rollout: 'canary', recommended_mode: 'local', task_corpus_id: 'backend-refactor-12' } },
    ],
    ['result-policy', { input: { writer: true } }],
    ['vault-delta', { input: { delta: { title: 'x' } } }],
    ['dispatch', { routing: { owned_files: ['a'] }, rollout: {} }],
    ['promotion', { pairs: [] }],
  ];

  // Node 20 has its permission model behind another name than later versions.
  const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  const flags = [
    PERMISSION,
    '--allow-fs-read=*',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    '--import',
    at('../testing/no-network.mjs'),
  ];

  it.each(REQUESTS)('%s answers the same, and leaves its folder as it was', async (operation, request) => {
    const cwd = mkdtempSync(join(folder, 'read-only-'));
    chmodSync(cwd, 0o555);
    const free = await bundled.answer(operation, request, { cwd });
    expect(await bundled.answer(operation, request, { cwd, flags })).toEqual(free);
    expect(free).toMatchObject({ ok: operation !== 'promotion' });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('would fail if it did either', async () => {
    const script = join(folder, 'probe.mjs');
    const probe = async (body: string): Promise<string> => {
      writeFileSync(script, body);
      return (await new ContextCli([script]).run([], '', { flags })).err;
    };
    expect(await probe("import { writeFileSync } from 'node:fs'; writeFileSync('x', '');")).toContain(
      'ERR_ACCESS_DENIED',
    );
    expect(await probe("import { connect } from 'node:net'; connect(1);")).toContain('network: connect');
    expect(await probe("await fetch('http://127.0.0.1:1');")).toContain('network: fetch');
  });
});

describe('owned paths in a file system (§4.2)', () => {
  const root = join(folder, 'workspace');
  const outside = join(folder, 'outside');
  const INVALID = code('INVALID_OWNERSHIP_PATH');
  const CONFLICT = { result: { reason_codes: ['WRITER_OWNERSHIP_CONFLICT'] } };
  const FRESH = { ok: true, result: { mode: 'fresh-capsule' } };

  beforeAll(() => {
    mkdirSync(join(root, 'src', 'deep'), { recursive: true });
    mkdirSync(outside);
    writeFileSync(join(root, 'src', 'file.ts'), '');
    symlinkSync(join(root, 'src'), join(root, 'inside'));
    symlinkSync(outside, join(root, 'out'));
    symlinkSync(join(outside, 'not-yet'), join(root, 'dangling-out'));
    symlinkSync('src/not-yet', join(root, 'dangling-in'));
    symlinkSync('loop-b', join(root, 'loop-a'));
    symlinkSync('loop-a', join(root, 'loop-b'));
    symlinkSync(root, join(folder, 'linked-root'));
  });

  const own = (path: string, active: string, more: object = {}): Promise<unknown> =>
    bundled.answer(
      'route',
      { input: { owned_files: [path], active_writers: [{ owned_files: [active] }], ...more } },
      { cwd: root },
    );

  it.each([
    ['by another name', 'inside/deep', 'src', CONFLICT],
    ['by another name, of what is not there yet', 'inside/new/x', 'SRC/New', CONFLICT],
    ['the root', '.', 'anything', CONFLICT],
    ['a file as a folder', 'src/file.ts/x', 'src/file.ts', CONFLICT],
    ['side by side', 'src/deep', 'src/deeper', FRESH],
    ['out of the workspace', 'out/x', 'src', INVALID],
    ['a link out of the workspace', 'out', 'src', INVALID],
    ['a link to what is not there yet, outside', 'dangling-out', 'src', INVALID],
    ['… inside', 'dangling-in/x', 'src/not-yet', CONFLICT],
    ['a loop', 'loop-a/x', 'src', INVALID],
    ['a name that is too long', 'n'.repeat(300), 'src', FRESH],
    ['very many segments', 'a/'.repeat(100_000), 'src', FRESH],
  ])('%s', async (_, path, active, expected) => {
    const answer = await own(path, active);
    expect(answer).toEqual(expected === INVALID ? expected : expect.objectContaining({ ok: true }));
    if (expected !== INVALID) expect(answer).toMatchObject(expected);
  });

  it.each([
    ['a link to it', join(folder, 'linked-root')],
    ['a relative one', '../workspace'],
    ['null', null],
  ])('starts at a root: %s', async (_, workspace_root) => {
    expect(await own('inside', 'src', { workspace_root })).toMatchObject(CONFLICT);
    expect(await own('out', 'src', { workspace_root })).toEqual(INVALID);
  });

  it('answers in a folder that is gone', async () => {
    const gone = mkdtempSync(join(folder, 'gone-'));
    const script = join(folder, 'leave.mjs');
    writeFileSync(script, `import { rmdirSync } from 'node:fs'; rmdirSync(${JSON.stringify(gone)});`);
    const options = { cwd: gone, flags: ['--import', script] };
    expect(await bundled.answer('route', BLOCKING, options)).toEqual(LOCAL);
  });

  it('starts at one that is not there, too', async () => {
    const workspace_root = join(folder, 'nowhere', 'at-all');
    expect(await own('a', 'A/b', { workspace_root })).toMatchObject(CONFLICT);
    expect(await own('a', 'b', { workspace_root })).toMatchObject(FRESH);
  });
});

describe('trusted keys (§12.5)', () => {
  it('come from the environment', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const side = {
      billed_cost: 1,
      wall_time_ms: 1,
      quality_score: 1,
      rework_rounds: 0,
      escaped_high_critical: 0,
    };
    const pairs = [{ id: 'ui-integration-01', stratum: 'ui-integration', baseline: side, candidate: side }];
    const digest = createHash('sha256').update(canonicalJson(pairs)).digest('hex');
    const unsigned = {
      schema: 'knowzcode.measurement-envelope/v2',
      measurement_run_id: 'measurement-0123456789abcdef',
      signer_key_id: 'measurement-key-lab',
      candidate_version: '1',
      corpus_version: '2',
      runtime_digest: `sha256:${'0'.repeat(64)}`,
      corpus_digest: `sha256:${digest}`,
      pair_count: 1,
      accounting_source: 'authoritative',
      promotion_authorized: true,
      measured_at: new Date().toISOString(),
    };
    const signature = sign(null, Buffer.from(canonicalJson(unsigned)), privateKey).toString('base64');
    const options = {
      measurement_envelope: { ...unsigned, signature },
      consumed_measurement_run_ids: [],
      expected_candidate_version: '1',
      expected_corpus_version: '2',
      expected_runtime_digest: unsigned.runtime_digest,
    };
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const env = { KNOWZCODE_TRUSTED_MEASUREMENT_KEYS: JSON.stringify({ 'measurement-key-lab': pem }) };
    const trusted = (is: boolean): object => ({ result: { metrics: { trusted_measurement_envelope: is } } });
    expect(await bundled.answer('promotion', { pairs, options }, { env })).toMatchObject(trusted(true));
    expect(await bundled.answer('promotion', { pairs, options })).toMatchObject(trusted(false));
  });
});

describe('help', () => {
  const [, [, command]] = PROGRAMS;

  it.each([[['--help']], [['route', '--help']], [['route', '-h']]])(
    'is shown by the command for %j',
    async (words) => {
      const { code: exit, out, err } = await command.run(words, JSON.stringify(BLOCKING));
      expect([exit, err]).toEqual([0, '']);
      expect(out).toMatch(/^Usage: palimpsest context /);
    },
  );

  it.each([
    ['the single file', bundled, ['route', '--help']],
    ['the command, later than its operation,', command, ['route', 'x', '--help']],
  ])('is no word to %s: it answers', async (_, program, words) => {
    expect(answerOf(await program.run(words, JSON.stringify(BLOCKING)))).toEqual(LOCAL);
  });
});
