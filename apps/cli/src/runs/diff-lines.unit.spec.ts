import type { RunDiff } from '../client/palimpsest-api.js';
import { palette } from '../output/palette.js';
import { headLines, tokenLines, windowRow } from './diff-lines.js';

const plain = palette(false);

function run(runId: string, fedTokens: number): RunDiff['run'] {
  return {
    runId,
    workflowId: 'palimpsest-external',
    status: 'running',
    events: 10,
    windows: 2,
    tokenCounter: 'chars',
    tokens: { fedTokens, unboundedTokens: 2000, notResentTokens: 2000 - fedTokens },
    summaries: 1,
  };
}

const said = { type: 'palimpsest.message.appended' };
const DIFF: RunDiff = {
  identical: false,
  relation: { kind: 'fork', ancestorRunId: 'run_b', sharedEvents: 6 },
  run: { ...run('run_a', 1500), origin: { runId: 'run_b', fromSequence: 6, mode: 'branch' } },
  other: run('run_b', 500),
  firstDivergence: { sequence: 6, part: 'payload', run: said, other: said, iteration: 2 },
  windows: [],
  fedTokensSaved: -1000,
  comparedIterations: { from: 1, to: 2 },
};

function withoutWindows({ tokenCounter: _none, ...other }: RunDiff['run']): RunDiff['run'] {
  return { ...other, windows: 0 };
}

function divergence(firstDivergence: RunDiff['firstDivergence']): string | undefined {
  return headLines({ ...DIFF, ...(firstDivergence && { firstDivergence }) }, plain).at(-1);
}

describe('what is said of two runs', () => {
  it('is what they are, and where they part', () => {
    expect(headLines(DIFF, plain)).toEqual([
      '1  run_a  running, palimpsest-external: 10 events, 2 windows, 1 summary, branch of run_b at 6',
      '2  run_b  running, palimpsest-external: 10 events, 2 windows, 1 summary',
      '1 comes from 2: 6 events shared',
      'the runs differ',
      'first divergence: event 6, another payload of palimpsest.message.appended, before window 2',
    ]);
  });

  it.each([
    [{ kind: 'same', sharedEvents: 3 }, 'run_a is compared with itself'],
    [{ kind: 'source', sharedEvents: 1 }, '2 comes from 1: 1 event shared'],
    [{ kind: 'siblings', ancestorRunId: 'run_0', sharedEvents: 2 }, 'both come from run_0: 2 events shared'],
    [{ kind: 'unrelated', sharedEvents: 0 }, 'neither comes from the other'],
  ] as const)('names their relation %j', (relation, line) => {
    expect(headLines({ ...DIFF, relation }, plain)[2]).toBe(line);
  });

  it.each([
    [{ part: 'end', run: said }, 'palimpsest.message.appended in 1 where 2 ends'],
    [{ part: 'end', other: said }, 'palimpsest.message.appended in 2 where 1 ends'],
    [{ part: 'type', run: said, other: { type: 'a.b', nodeId: 'n' } }, `${said.type} in 1, a.b of n in 2`],
  ] as const)('says what differs: %j', (parts, text) => {
    expect(divergence({ sequence: 7, ...parts })).toBe(`first divergence: event 7, ${text}`);
  });

  it('is that they are identical where they are', () => {
    const { firstDivergence: _none, ...same } = { ...DIFF, identical: true };
    expect(headLines(same, plain).at(-1)).toMatch(/^identical: /);
  });
});

describe('a row of windows', () => {
  const side = {
    sequence: 9,
    tokenCounter: 'chars',
    fedTokens: 1200,
    unboundedTokens: 3,
    summaries: 1,
  } as const;
  it.each([
    [{ identical: true, run: side, other: side }, ['4', 'same', '1,200', '3', '1', '1,200', '3', '1']],
    [{ identical: false, run: side, other: side }, ['4', 'differ', '1,200', '3', '1', '1,200', '3', '1']],
    [{ identical: false, run: side }, ['4', 'only 1', '1,200', '3', '1', '–', '–', '–']],
    [{ identical: false, other: side }, ['4', 'only 2', '–', '–', '–', '1,200', '3', '1']],
  ])('%j', (pair, cells) => {
    expect(windowRow({ iteration: 4, ...pair })).toEqual(cells);
  });
});

describe('the sums', () => {
  it.each([
    [-1000, 'in windows 1 to 2, which both have, 1 fed 1,000 more than 2'],
    [1000, 'in windows 1 to 2, which both have, 1 fed 1,000 less than 2'],
    [0, 'in windows 1 to 2, which both have, both fed as much'],
    [null, 'they count in different units: their sums are not compared'],
  ])('are compared: %p', (fedTokensSaved, line) => {
    expect(tokenLines({ ...DIFF, fedTokensSaved })).toEqual([
      '1 fed 1,500 instead of 2,000 chars: 500 (25.0 %) not re-sent',
      '2 fed 500 instead of 2,000 chars: 1,500 (75.0 %) not re-sent',
      line,
    ]);
  });

  it('are none of a run without windows', () => {
    const { comparedIterations: _range, ...diff } = { ...DIFF, fedTokensSaved: null };
    const other = withoutWindows(DIFF.other);
    expect(tokenLines({ ...diff, other }).slice(1)).toEqual([
      '2 has no window',
      'no window is in both: nothing is compared',
    ]);
    expect(tokenLines({ ...diff, run: withoutWindows(DIFF.run), other })).toEqual(['neither has a window']);
  });

  it('name the one window that both have', () => {
    expect(tokenLines({ ...DIFF, comparedIterations: { from: 7, to: 7 } })[2]).toMatch(/^in window 7, which/);
  });
});
