import { PRIVATE_LABELS, PRIVATE_VALUES } from '../testing/private-values.js';
import { isPrivateTelemetryKey, isPrivateTelemetryValue } from './telemetry-marks.js';

/** Marks that telemetry does not share: what is not recognised here has no closed list to be in. */
const NOT_SHARED = [
  'basic',
  'tokenHeader',
  'npm',
  'urlWithPassword',
  'jdbc',
  'stripe',
  'githubFineGrained',
  'awsTemporary',
  'google',
  'pemWithoutLabel',
  'pgp',
  'environment',
  'json',
];

describe('private values of an event (§7.3)', () => {
  it.each(
    Object.entries({ ...PRIVATE_VALUES, ...PRIVATE_LABELS }).filter(([name]) => !NOT_SHARED.includes(name)),
  )('are found: %s', (_, text) => expect(isPrivateTelemetryValue(text)).toBe(true));

  it.each([
    'session-0a1b2c3d',
    'sess_12345678',
    'thread-a-------b',
    'http://x',
    'HTTPS://x',
    "'/home/x",
    'd:\\x',
    'a ../b',
    'a@b.cd',
    'x+y%z@b-c.d.efg',
    'projects, project_abc',
    'repository-a.b',
  ])('are found: %p', (text) => expect(isPrivateTelemetryValue(text)).toBe(true));

  it.each([
    'session-0a1b2c3',
    'mysession-0a1b2c3d',
    'agent-0a1b2c3d',
    'https:// x',
    'xhttps://y',
    '/home/',
    'a/home/x',
    'x:/y',
    'a./b',
    './ x',
    'a@b.c',
    'a@b',
    '@b.cd',
    'a@b.c1',
    'repo-ab',
    'repo-.abc',
    'backend-refactor-12',
    'anon-model-0123456789abcdef',
    '2031-03-10T12:00:00Z',
  ])('are not: %p', (text) => expect(isPrivateTelemetryValue(text)).toBe(false));
});

describe('private keys of an event (§7.3)', () => {
  it.each([
    'prompt',
    'Prompt_Bytes',
    'prompt_tokens',
    'x_repo_y',
    'raw_prompt',
    'user_id',
    'email',
    'LOG',
    'org_id',
    'api_key_hint',
  ])('%s', (key) => expect(isPrivateTelemetryKey(key)).toBe(true));
  it.each([
    'prompt_bytes',
    'sessionId',
    'blog',
    'emails',
    'tool_output_bytes',
    'repeated_file_reads',
    'rawprompt',
    'constructor',
  ])('not %s', (key) => expect(isPrivateTelemetryKey(key)).toBe(false));
});

describe('long texts', () => {
  const MEBIBYTE = 1_048_576;
  // each is quadratic for a search that starts anew at every place
  it.each([
    'eyJ-',
    'a.',
    'a@',
    '@a.',
    'eyJ.',
    'password',
    'secret ',
    '-----BEGIN ',
    'run-',
    'aa',
    ' ',
    'http:',
    'a.a@a.',
  ])('of %p again and again are read in one go', (part) => {
    const text = part.repeat(MEBIBYTE / part.length);
    expect(typeof isPrivateTelemetryValue(text)).toBe('boolean');
  });
});
