import { CURRENT, LINEAGE } from '../testing/lineages.js';
import { options, pairs } from '../testing/measurements.js';
import { PRIVATE_LABELS, PRIVATE_VALUES } from '../testing/private-values.js';
import { holdsPrivateValue } from './registry-values.js';

const { email, home, mac, windows, relative, parent } = PRIVATE_LABELS;
const PRIVATE = Object.entries({
  ...PRIVATE_VALUES,
  email,
  home,
  mac,
  windows,
  run: PRIVATE_LABELS['run'],
  session: 'session_0123abcd',
});

/** A value under thousands of lists and objects. */
function buried(value: unknown, levels = 20_000): unknown {
  let outer = value;
  for (let level = 0; level < levels; level += 1)
    outer = level % 2 === 0 ? [1, outer, 'a'] : { a: 'b', c: outer };
  return outer;
}

describe('what the registry may not keep', () => {
  it.each(PRIVATE)('is found: %s', (_, text) => {
    const places = [
      text,
      [text],
      { a: text },
      [{ a: [1, null, { b: `x ${text}` }], c: 'd' }],
      { [`${text}`]: 1 },
    ];
    expect(places.map(holdsPrivateValue)).toEqual([true, true, true, true, true]);
  });

  it('is found under thousands of levels, and nothing is where nothing is', () => {
    expect(holdsPrivateValue(buried(PRIVATE_VALUES['github']))).toBe(true);
    expect(holdsPrivateValue(buried('ghp_short'))).toBe(false);
    expect(holdsPrivateValue(buried({ api_key: 1 }))).toBe(true);
  });

  it('is found in a list of very many', () => {
    const many = Array.from({ length: 150_000 }, () => 'a');
    expect(holdsPrivateValue(many)).toBe(false);
    expect(holdsPrivateValue([...many, PRIVATE_VALUES['npm'], ...many])).toBe(true);
  });

  it.each([
    'transcript',
    'RAW_PROMPT',
    'x_session_id',
    'agent_id',
    'run_id',
    'provider_handle',
    'x_platform_handle',
  ])('is found as a key: %s', (key) =>
    expect([holdsPrivateValue({ [key]: null }), holdsPrivateValue([{ a: { [key]: 1 } }])]).toEqual([
      true,
      true,
    ]),
  );

  it('is not looked for under the handle of a platform, which is dropped', () => {
    expect(holdsPrivateValue({ platform_handle: PRIVATE_VALUES['github'], a: 'b' })).toBe(false);
    expect(holdsPrivateValue({ platform_handle: { api_key: 1 }, a: PRIVATE_VALUES['github'] })).toBe(true);
  });

  it.each(['measurement_run_id', 'prompt_bytes', 'tool_output_bytes'])(
    'is searched for under names of the contract that look private: %s',
    (key) => {
      expect(holdsPrivateValue({ [key]: 'measurement-0123456789abcdef' })).toBe(false);
      expect(holdsPrivateValue({ [key]: email })).toBe(true);
      expect(holdsPrivateValue({ [`${key}_x`]: 1, [`x_${key}`]: 1 })).toBe(true);
    },
  );

  it.each([
    ['nothing', undefined],
    ['null, numbers and booleans', [null, 0, -1.5, true]],
    ['relative paths', ['src/a.ts', 'docs/', '.', './src', 'a\\b', relative, parent]],
    ['urls without a password', ['https://host/x']],
    ['words about sessions', ['session-store', 'session_0123abc', 'the session']],
    ['a lineage with its current facts', { record: LINEAGE, current: CURRENT }],
    ['measurements with their envelope', { pairs: pairs(1), options: options(pairs(1)) }],
    ['names of JavaScript', JSON.parse('{"__proto__": {"constructor": "toString"}}') as unknown],
  ])('is not: %s', (_, value) => expect(holdsPrivateValue(value)).toBe(false));

  it.each([
    '/etc/passwd',
    '/root/.ssh/id_rsa',
    '/a',
    'see /etc/passwd',
    'in (/srv/x)',
    'in [/srv/x]',
    '{/srv/x}',
    '"/srv/x"',
    "'/srv/x'",
    '`/srv/x`',
    'x=/home/bob/x',
    'x:/home/bob/x',
    'a\n/srv/x',
    'file:/home/bob/x',
    'file:///home/bob/x',
    'FILE:////srv/x',
    '~/x/y',
    '~bob/x',
    'x=~/y',
    '~\\x',
    'C:\\work',
    'c:/work',
    'in D:\\x',
    '\\\\server\\x',
    'see /data/secret',
    'x=/workspace/p',
    'at /app/x now',
    'at /Library/x',
    'in /nix/store',
    'in /run/user/1000',
    'of /boot/x',
    'a,/home/bob',
    'a;/data/bob',
    '2>/home/bob/l',
    'cat</data/l',
    'a|/data/l',
    '-I/home/bob/inc',
    'cc -L/opt/lib x',
    'at $HOME/x',
    'a${HOME}/x',
    '$env:USERPROFILE\\x',
    'a%USERPROFILE%\\x',
    'GET /v1x/runs',
    'GET /v/runs',
  ])('is a path of a machine: %p', (text) =>
    expect([text, { a: text }, { [text]: 1 }].map(holdsPrivateValue)).toEqual([true, true, true]),
  );

  it.each([
    '/',
    '//',
    '// a note',
    'a / b',
    'a/b',
    'and/or',
    'https://host/x',
    'see https://host/~bob/x',
    'x=https://host/x',
    'postgres://host/db',
    'file:',
    'file:x',
    'profile:///x',
    '~',
    '~5/10',
    'a~/b',
    'ab:c',
    'POST /v1/runs answers 201',
    'the route=/v1/runs',
    'C:',
    'C:\\',
    'a\\b',
    '</p>',
    '<b>a</b>text/plain',
    '2/3',
    '1/2/3',
    'see /data',
    'GET /runs/{runId}',
    'GET /v1/runs/x/events',
    'GET /v12/runs',
    'POST /v1beta2/models',
    'src/home/page.ts',
    'in src/pages/home/index.ts',
    'a-I/home/x',
    '-I/include',
    '$HOME',
    '%USERPROFILE%',
    'HOME/x',
  ])('is no path of a machine: %p', (text) => expect(holdsPrivateValue([text])).toBe(false));

  it.each([
    'hf_',
    'gsk_',
    'xai-',
    'r8_',
    'pplx-',
    'SG.',
    'dop_v1_',
    'ya29.',
    'whsec_',
    'pypi-',
    'xapp-',
    'hvs.',
  ])('is a key that begins with %s', (kind) => {
    const key = (letters: number): string => `${kind}${'aB3'.repeat(9).slice(0, letters)}`;
    const lengths = [19, 20, 21].map((letters) => holdsPrivateValue(`the ${key(letters)}!`));
    expect(lengths).toEqual([false, true, true]);
    expect([holdsPrivateValue(`x${key(20)}`), holdsPrivateValue({ ownedFiles: [`src/${key(20)}`] })]).toEqual(
      [false, true],
    );
  });

  const PATH_LISTS = ['ownedFiles', 'owned_files', 'resolved_owned_files', 'ownedPaths'];

  it.each(PATH_LISTS)('is not a folder that is called as conversations are: %s', (key) => {
    const paths = [
      'src/agent-runner.ts',
      'libs/services/run-orchestrator/src/a.ts',
      'session-store-factory.ts',
      'raw logs',
      'docs/full-transcript.md',
      '/srv/x',
    ];
    for (const path of paths) {
      expect([holdsPrivateValue({ [key]: [path] }), holdsPrivateValue([{ a: { [key]: path } }])]).toEqual([
        false,
        false,
      ]);
      expect(holdsPrivateValue({ [`${key}_x`]: [path] })).toBe(true);
      expect(holdsPrivateValue({ [key]: [{ a: path }, [path]] })).toBe(true);
    }
  });

  it.each(PATH_LISTS)('is a credential or an address in a list of paths: %s', (key) => {
    for (const text of [...Object.values(PRIVATE_VALUES), email ?? '']) {
      expect([text, `src/${text}`].map((path) => holdsPrivateValue({ [key]: ['a', path] }))).toEqual([
        true,
        true,
      ]);
    }
  });

  it.each(PATH_LISTS)('is a home, a drive, a share or a file’s URL in a list of paths: %s', (key) => {
    const foreign = [
      '~/.ssh/id_rsa',
      '~bob/x',
      '~\\x',
      '/home/bob/x',
      '/Users/bob/x',
      '/root/x',
      'C:\\x',
      'c:/x',
      '\\\\server\\x',
      'file:///srv/x',
      '$HOME/x',
      '${HOME}/x',
      '%USERPROFILE%\\x',
    ];
    expect(foreign.filter((path) => !holdsPrivateValue({ [key]: ['a', path] }))).toEqual([]);
    expect(foreign.filter((path) => !holdsPrivateValue([{ a: { [key]: path } }]))).toEqual([]);
    const own = [
      '~',
      'a~/b',
      '~5/x',
      'app/(home)/[id]/page.tsx',
      'src/home/x',
      'root/x',
      'a\\b',
      './a',
      'profile',
    ];
    expect(own.filter((path) => holdsPrivateValue({ [key]: [path] }))).toEqual([]);
  });

  // each is quadratic for a search that starts anew at every place
  it.each([
    '/',
    '~',
    '~a',
    ' ~a',
    'file:',
    'file:/',
    '\\',
    'a:',
    ':/',
    'hf_',
    'xai-a',
    '= ',
    '=/a',
    '=/',
    ' /v1',
    '/v1/',
    ' -a',
    '$HOME',
    '${',
  ])('is looked for in one go: %p again and again', (part) => {
    const text = part.repeat(1_048_576 / part.length);
    expect(typeof holdsPrivateValue([text, { ownedFiles: [text] }])).toBe('boolean');
  });

  it('is no signature, as which letters it ever begins', () => {
    const signature = `/${'aB3+'.repeat(21)}/==`;
    expect(
      [signature, `/a${signature.slice(1)}`, signature.slice(1)].map((text) =>
        holdsPrivateValue({ signature: text }),
      ),
    ).toEqual([false, true, false]);
    expect(holdsPrivateValue({ other: signature })).toBe(true);
    expect(holdsPrivateValue({ signature: '/etc/passwd' })).toBe(true);
    expect(holdsPrivateValue({ signature: [signature] })).toBe(true);
  });

  it('is found behind a name of JavaScript', () => {
    expect(holdsPrivateValue(JSON.parse('{"__proto__": {"constructor": "ada@example.org"}}'))).toBe(true);
  });
});
