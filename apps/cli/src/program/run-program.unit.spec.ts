import { ApiError, UnexpectedAnswerError, UnreachableError } from '@palimpsest/client';
import { buildProgram } from './build-program.js';
import { CliError, EXIT, UsageError } from './cli-error.js';
import { describeFailure } from './describe-failure.js';
import { runProgram } from './run-program.js';

function captured(stream: 'stdout' | 'stderr'): () => string {
  const parts: string[] = [];
  jest.spyOn(process[stream], 'write').mockImplementation((text) => {
    parts.push(String(text));
    return true;
  });
  return () => parts.join('');
}

afterEach(() => jest.restoreAllMocks());

describe('runProgram', () => {
  it.each([
    [
      'an unknown command',
      ['imprt'],
      "palimpsest: unknown command 'imprt' (usage)\n  (Did you mean import?)\n  See: palimpsest --help\n",
    ],
    [
      'an unknown option',
      ['runs', '--limt', '2'],
      "palimpsest: unknown option '--limt' (usage)\n  (Did you mean --limit?)\n  See: palimpsest runs --help\n",
    ],
    [
      'a missing argument',
      ['window'],
      "palimpsest: missing required argument 'run' (usage)\n  See: palimpsest window --help\n",
    ],
    [
      'too much',
      ['verify', 'a', 'b'],
      "palimpsest: too many arguments for 'verify'. Expected 1 argument but got 2 (usage)\n  See: palimpsest verify --help\n",
    ],
    [
      'a budget that is no number',
      ['import', 'x', '--budget', '1.5'],
      "palimpsest: --budget takes a whole number from 1, not '1.5' (usage)\n  See: palimpsest import --help\n",
    ],
    [
      'a mode that is none',
      ['fork', 'x', '--mode', 'copy'],
      "palimpsest: --mode takes one of replay, branch, not 'copy' (usage)\n  See: palimpsest fork --help\n",
    ],
    [
      'a setting that is no JSON',
      ['fork', 'x', '--mode', 'branch', '--set', 'mood=calm'],
      "palimpsest: --set takes key=json, such as temperature=0.2, not 'mood=calm' (usage)\n  See: palimpsest fork --help\n",
    ],
    [
      'a window that is no number',
      ['window', 'x', 'last'],
      "palimpsest: <iteration> takes a whole number from 1, not 'last' (usage)\n  See: palimpsest window --help\n",
    ],
    [
      'a time that is none',
      ['keys', 'rotate', 'x', '--grace', 'soon'],
      "palimpsest: --grace takes a number and a unit: 45s, 30m, 12h or 90d, not 'soon' (usage)\n  See: palimpsest keys rotate --help\n",
    ],
    ...(['workgroup', 'lineage'] as const).map((kind): [string, string[], string] => [
      `the id of a ${kind} that is none`,
      [kind, 'show', 'two words'],
      `palimpsest: <${kind}> takes at most 128 letters, digits, ".", "_" and "-", the first a letter or digit, not 'two words' (usage)\n  See: palimpsest ${kind} show --help\n`,
    ]),
    [
      'a percentage that no canary has',
      ['rollout', 'set', 'staging', '--family', 'capsules', '--stage', 'canary', '--percent', '11'],
      "palimpsest: --percent takes 10, 25 or 50, not '11' (usage)\n  See: palimpsest rollout set --help\n",
    ],
    [
      'a digest that is none',
      ['rollout', 'set', 'staging', '--family', 'capsules', '--stage', 'observe', '--runtime-digest', 'bad'],
      'palimpsest: --runtime-digest takes "sha256:" and 64 lowercase hexadecimal digits, not \'bad\' (usage)\n  See: palimpsest rollout set --help\n',
    ],
  ])('ends with 2 after %s', async (_, argv, expected) => {
    const said = captured('stderr');
    await expect(runProgram(argv)).resolves.toBe(EXIT.usage);
    expect(said()).toBe(expected);
  });

  it('says which statuses there are', async () => {
    const said = captured('stderr');
    await expect(runProgram(['runs', '--status', 'bogus'])).resolves.toBe(EXIT.usage);
    expect(said()).toMatch(
      /^palimpsest: --status takes one of pending, running, .*, not 'bogus' \(usage\)\n/,
    );
  });

  it.each([
    ['rotate', /--grace <time>.*\(default: 24h\)/s],
    [
      'create',
      /--scopes <list>[^-]*\(required\)[^]*\nReserved, no endpoint asks for them yet:\n {2}webhooks:manage, /,
    ],
  ])('names a default once, what is required, and what is reserved: keys %s', async (word, expected) => {
    const said = captured('stdout');
    await expect(runProgram(['keys', word, '--help'])).resolves.toBe(EXIT.done);
    expect(said()).toMatch(expected);
    expect(said().match(/default: 24h|default: 86400/g) ?? []).toHaveLength(word === 'rotate' ? 1 : 0);
  });

  it('shows help and version, and ends with 0', async () => {
    const said = captured('stdout');
    await expect(runProgram(['--help'])).resolves.toBe(EXIT.done);
    await expect(runProgram(['--version'])).resolves.toBe(EXIT.done);
    expect(said()).toMatch(/First steps:[\s\S]*\n\d+\.\d+\.\d+\n$/);
  });

  it.each(buildProgram().commands.map((command) => command.name()))('teaches %s', async (name) => {
    const said = captured('stdout');
    await expect(runProgram([name, '--help'])).resolves.toBe(EXIT.done);
    expect(said()).toContain(`Usage: palimpsest ${name}`);
    expect(
      said()
        .split('\n')
        .filter((line) => line.length > 90),
    ).toEqual([]);
  });
});

describe('describeFailure', () => {
  it('writes message, code and hint', () => {
    const error = new CliError('no server', {
      code: 'unreachable',
      exitCode: EXIT.server,
      hint: 'Start one.\nOr not.',
    });
    expect(describeFailure(error)).toEqual({
      lines: ['palimpsest: no server (unreachable)', '  Start one.', '  Or not.'],
      exitCode: 3,
    });
    expect(describeFailure(new UsageError('no')).exitCode).toBe(2);
  });

  it.each([
    [
      new ApiError({
        status: 401,
        code: 'key_revoked',
        message: 'The key\u001b[2J is revoked.',
        details: {},
      }),
      'palimpsest: The key\uFFFD[2J is revoked. (key_revoked)',
      '  Give another key with --key or PALIMPSEST_API_KEY.',
    ],
    [
      new ApiError({
        status: 422,
        code: 'invalid_from_seq',
        message: 'Past the log.',
        details: { greatestFromSeq: 278 },
      }),
      'palimpsest: Past the log. (invalid_from_seq)',
      '  The greatest --from is 278.',
    ],
    [
      new ApiError({
        status: 409,
        code: 'version_conflict',
        message: 'It has moved on.',
        details: { family: 'capsules', expectedVersion: 3, actualVersion: 4 },
      }),
      'palimpsest: It has moved on. (version_conflict)',
      '  It is at version 4. See what changed: npx palimpsest rollout report <environment> --family <name>',
    ],
    [
      new UnreachableError('http://127.0.0.1:9'),
      'palimpsest: no server answers at http://127.0.0.1:9 (unreachable)',
      '  Start one with "palimpsest start", or say where it is: --url, PALIMPSEST_URL.',
    ],
    [
      new UnexpectedAnswerError('http://127.0.0.1:9', 404),
      "palimpsest: http://127.0.0.1:9 answered 404 in a way that is not Palimpsest's (unexpected_answer)",
      '  Is --url or PALIMPSEST_URL right? It is the root of the server, such as http://127.0.0.1:8080.',
    ],
  ])('writes what the server said, or that none did, and what to do: %#', (error, ...lines) => {
    expect(describeFailure(error)).toEqual({ lines, exitCode: EXIT.server });
  });

  it('has no hint for a code that it does not know', () => {
    const error = new ApiError({ status: 409, code: 'constructor', message: 'No.', details: {} });
    expect(describeFailure(error).lines).toEqual(['palimpsest: No. (constructor)']);
  });

  it('writes no stack trace of an error that was not foreseen', () => {
    const { lines, exitCode } = describeFailure(new TypeError('odd\n    at somewhere'));
    expect([lines, exitCode]).toEqual([['palimpsest: odd (internal_error)'], 3]);
  });

  it('lists every variable that is wrong', () => {
    const error = new Error('The configuration cannot be used:\n  A: is required\n  B: is wrong');
    error.name = 'ConfigurationError';
    expect(describeFailure(error)).toEqual({
      lines: [
        'palimpsest: The configuration cannot be used (configuration)',
        '  A: is required',
        '  B: is wrong',
      ],
      exitCode: 2,
    });
  });
});
