import { PRIVATE_VALUES } from '../testing/private-values.js';
import { isPrivateCapsuleKey, isPrivateCapsuleValue } from './capsule-marks.js';

const a = (count: number): string => 'a'.repeat(count);
const at = (text: string): string => `before ${text} after`;

/** Of each mark the shortest text that has it, and texts that just do not. */
const MARKS: readonly (readonly [mark: string, has: readonly string[], hasNot: readonly string[]])[] = [
  [
    '1',
    ['Bearer a', 'bearer\u00a0a', 'the bearer of it', 'forbearer a'],
    ['Bearera', 'Bearer !', 'Bearer ='],
  ],
  [
    '2',
    ['Authorization:Basic ab', 'authorization : BASIC  a+'],
    [
      'Authorization: Basic a',
      'Authorization: Basicab',
      'Xauthorization: Basic ab',
      'Authorization Basic ab',
    ],
  ],
  [
    '3',
    [`Authorization: Token ${a(8)}`, 'authorization:apikey ==~~..--'],
    [`Authorization: Token ${a(7)}`, `Authorization: Tokens ${a(8)}`],
  ],
  ['4', [`npm_${a(20)}`, `NPM_${a(20)}`], [`npm_${a(19)}`, `xnpm_${a(20)}`, `npm_${a(19)}_`]],
  [
    '5',
    [
      'a://u:p@h',
      'jdbc:a1+.-://u:p:q@h',
      'x y://u:p@h',
      'é://u s://u:p@h',
      '9a://u a://u:p@h',
      '1.b://u:p@h',
    ],
    [
      'a://u:p@',
      'a://u:p@ h',
      'a://:p@h',
      'a://u:@h',
      'a://u@h',
      'a://u/x:p@h',
      '1://u:p@h',
      '_a://u:p@h',
      'a:/u:p@h',
    ],
  ],
  [
    '6',
    ['jdbc:password=x', 'jdbc:x;PASSWD=y', 'jdbc:a jdbc:b;password=c', 'jdbc:jdbc:passwd=c'],
    [
      'jdbc:password= b',
      'jdbc:password=;',
      'jdbc:password=&x',
      'jdbc:x password=b',
      'xjdbc:passwd=c',
      'jdbc:pwd=abc',
    ],
  ],
  [
    '7',
    [`sk-${a(8)}`, `rk-live_${a(8)}`, `PK-test${a(8)}`, 'sk-live_abc', 'sk-12-45_78', `a-sk-${a(8)}`],
    [`sk-${a(7)}`, `ask-${a(8)}`, `sk${a(9)}`, `sk-.${a(8)}`, 'tk-aaaaaaaa'],
  ],
  [
    '8',
    ['p', 'o', 'u', 's', 'r'].map((kind) => `gh${kind}_${a(12)}`),
    [`ghp_${a(11)}`, `ghx_${a(12)}`, `aghp_${a(12)}`],
  ],
  ['9', [`glpat-${a(12)}`, `glpat-${'-_'.repeat(6)}`], [`glpat-${a(11)}`, `glpat_${a(12)}`]],
  ['10', ['b', 'a', 'p', 'r', 's'].map((kind) => `xox${kind}-${a(10)}`), [`xoxb-${a(9)}`, `xoxc-${a(10)}`]],
  ['11', [`AKIA${a(16)}`, `akia${'1'.repeat(16)}`], [`AKIA${a(15)}`, `AKIA${a(17)}`, `AKIA${a(16)}_`]],
  [
    '12',
    ['-----BEGIN A PRIVATE KEY-----', '------begin rsa private key------'],
    ['----BEGIN A PRIVATE KEY-----'],
  ],
  [
    '13',
    [
      `eyJ${a(8)}.${a(8)}.${a(8)}`,
      `a.eyJ${a(8)}.${a(8)}.${a(8)}`,
      `x-EYJ${a(8)}.${'-_'.repeat(4)}.${a(8)}--`,
      `eyJ-eyJ${a(8)}.${a(8)}.${a(8)}`,
      `eyJ.${a(4)}.eyJ${a(8)}.${a(8)}.${a(8)}`,
    ],
    [
      `eyJ${a(7)}.${a(8)}.${a(8)}`,
      `eyJ${a(8)}.${a(7)}.${a(8)}`,
      `eyJ${a(8)}.${a(8)}.${a(7)}`,
      `eyJ${a(8)}.${a(8)}.${a(7)}--`,
      `xeyJ${a(8)}.${a(8)}.${a(8)}`,
      `eyJ${a(8)}..${a(8)}`,
    ],
  ],
  [
    '14',
    [
      'password:abcd',
      'Passwd = abcd',
      'api_key=abcd',
      'apikey:abcd',
      'access-token=abcd',
      'refresh_token\n:\nabcd',
      'secret=éééé',
    ],
    ['password:abc', 'password abcd', 'api key=abcd', 'passwords=abcd', 'secret:a bcd'],
  ],
  [
    '15',
    [
      `raw${' '.repeat(48)}log`,
      'full transcript',
      'VERBATIM: tool output',
      'raw tooloutput',
      'raw ambient\u00a0output',
      'full-logs',
    ],
    [
      `raw ${a(47)} log`,
      'raw\nlog',
      'raw\u2028log',
      'rawlog',
      'raw logbook',
      'full tool  outputs',
      'draw log',
    ],
  ],
  ['16', ['chat in full', `prompt${' '.repeat(48)}raw`], [`prompt ${a(47)} raw`, 'chatfull', 'log\rraw']],
  [
    '17',
    [
      'Codex agent instructions',
      'claude-session: abcdef',
      'provider run id = a.b-c_d',
      'codexrun abcdef',
      'claude : / _ - thread_id#abcdef',
      'codex agent abcdef---',
      'codex session id-abcdef',
    ],
    [
      'codex agent abcde',
      'codex agent -abcde',
      'xcodex agent abcdef',
      'codex agents=',
      'codex agent == abcdef',
      'codex run a-----',
    ],
  ],
  [
    '18',
    ['Agent: summarizer', 'session id=abcdef', 'thread#abcdef', 'run_ID : abcdef', 'sessionid:abcdef'],
    [
      'agent: model',
      'agent summarizer',
      'agents: summarizer',
      'agent - summarizer',
      'run:-abcdef',
      'rerun:abcdef',
    ],
  ],
  [
    '19',
    [
      'run-20310301',
      'sess_abcdefgh',
      'contracts/agent-lineage.schema.json',
      'thread-a.......b',
      'agent-abcdefgh--',
    ],
    ['run-2031030', 'session-abcdefgh', 'run--abcdefgh', 'rerun-20310301', 'run-a........'],
  ],
  [
    'S1',
    [
      '-----BEGIN PRIVATE KEY-----',
      '-----BEGIN EC2 PRIVATE KEY-----',
      '-----begin pgp private key block-----',
    ],
    [
      '-----BEGIN PUBLIC KEY-----',
      '-----BEGINPRIVATE KEY-----',
      '-----BEGIN PRIVATE KEYS-----',
      '-----BEGIN A_B PRIVATE KEY-----',
    ],
  ],
  [
    'S2',
    [`github_pat_${a(20)}`, `GITHUB_PAT_${'_'.repeat(20)}`],
    [`github_pat_${a(19)}`, `xgithub_pat_${a(20)}`],
  ],
  ['S3', [`AIza${a(35)}`, `AIza${'-_'.repeat(18)}`], [`AIza${a(34)}`, `aiza${a(35)}`, `xAIza${a(35)}`]],
  [
    'S4',
    ['ASIAABCDEFGHIJKLMN12'],
    ['ASIAABCDEFGHIJKLMN1', 'ASIAABCDEFGHIJKLMN123', 'ASIAABCDEFGHIJKLMNab', 'asiaABCDEFGHIJKLMN12'],
  ],
  [
    'S5',
    [`sk_live_${a(8)}`, `RK_TEST_${a(8)}`, `pk_test_${a(8)}`],
    [`sk_live_${a(7)}`, `sk_prod_${a(8)}`, `ask_live_${a(8)}`],
  ],
  [
    'S6',
    [
      'DB_PASSWORD=abcd',
      'my.api-key: abcd',
      '"secret" : abcd',
      "auth_token'=abcd",
      'clientsecret=abcd',
      'AWS_SECRET_ACCESS_KEY=abcd',
      'private-key:abcd',
      'mypassword=abcd',
    ],
    ['DB_PASSWORD=abc', 'private key: abcd', 'secret"" : abcd', 'auth token=abcd', 'public_key=abcd'],
  ],
];

describe('private values of a capsule (§6.3)', () => {
  const rows = (place: 1 | 2): readonly (readonly [string, string])[] =>
    MARKS.flatMap((row) => row[place].map((text) => [row[0], text] as const));

  it.each(rows(1))('has mark %s: %p', (_, text) => expect(isPrivateCapsuleValue(at(text))).toBe(true));
  it.each(rows(2))('has not mark %s: %p', (_, text) => expect(isPrivateCapsuleValue(at(text))).toBe(false));
  it.each(Object.entries(PRIVATE_VALUES))('knows a made-up %s', (_, text) =>
    expect([isPrivateCapsuleValue(text), isPrivateCapsuleValue(`x ${text}\ny`)]).toEqual([true, true]),
  );

  it('folds ASCII letters only', () => {
    expect(isPrivateCapsuleValue('pa\u017f\u017fword=abcd')).toBe(false);
    expect(isPrivateCapsuleValue(`A\u212aIA${a(16)}`)).toBe(false);
  });
});

describe('private keys of a capsule (§6.3)', () => {
  it.each([
    'transcript',
    'RAW_PROMPT',
    'rawchat',
    'the_log_file',
    'logs',
    'x_session_id',
    'api_key',
    'raw_tool_output_2',
    'Credentials',
  ])('%s', (key) => expect(isPrivateCapsuleKey(key)).toBe(true));
  it.each(['blog', 'logsx', 'prompts', 'sessionId', 'chat-log', 'rawest_chats', 'task_id', ''])(
    'not %s',
    (key) => expect(isPrivateCapsuleKey(key)).toBe(false),
  );
});
