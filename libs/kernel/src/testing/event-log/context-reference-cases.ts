import {
  CONTEXT_REFERENCES,
  CONTEXT_SUMMARIZED,
  WINDOW_PLANNED,
  type NewRunEvent,
} from '@palimpsest/contracts';
import type { ContextReferences } from '../../ports/event-log.js';
import { extend, forkRun, noted, startRun, type EventLogCase, type OpenCase } from './harness.js';

function summarized(artifact: string): NewRunEvent {
  return { type: CONTEXT_SUMMARIZED, payload: { summaryRef: artifact }, schemaVersion: 1 };
}

function window(cuts: readonly string[], summarySequences: readonly number[] = []): NewRunEvent {
  const cut = cuts.map((artifactId, sequence) => ({ artifactId, sequence, tokens: 1 }));
  return { type: WINDOW_PLANNED, payload: { cuts: cut, summarySequences }, schemaVersion: 1 };
}

async function referencesIn(
  { log, tenantId }: EventLogCase,
  runId: string,
  [fromSequence, toSequence]: readonly [number, number],
): Promise<ContextReferences> {
  const found = await log.contextReferences({ tenantId, runId, fromSequence, toSequence });
  return {
    ...found,
    summaries: [...found.summaries].sort(),
    renderings: [...found.renderings].sort(),
    earlierSummaries: [...found.earlierSummaries].sort((a, b) => a - b),
  };
}

const NOTHING = { summaries: [], renderings: [], earlierSummaries: [] };

/** 0 a note, 1 and 3 summaries, 2 and 4 windows that feed them, 5 a note. */
const EVENTS = [
  noted(0),
  summarized('s1'),
  window(['c1', 'c2'], [1]),
  summarized('s3'),
  window(['c2', 'c4', 'c4'], [1, 3]),
  noted(5),
];

export function contextReferenceCases(open: OpenCase): void {
  it('names everything once, and of summaries before the stretch their places', async () => {
    const testCase = open();
    await startRun(testCase, { runId: 'run', events: EVENTS });
    expect(await referencesIn(testCase, 'run', [0, 5])).toEqual({
      ...NOTHING,
      summaries: ['s1', 's3'],
      renderings: ['c1', 'c2', 'c4'],
    });
    expect(await referencesIn(testCase, 'run', [3, 9])).toEqual({
      summaries: ['s3'],
      renderings: ['c2', 'c4'],
      earlierSummaries: [1],
    });
    expect(await referencesIn(testCase, 'run', [2, 3])).toEqual({
      summaries: ['s3'],
      renderings: ['c1', 'c2'],
      earlierSummaries: [1],
    });
    expect(await referencesIn(testCase, 'run', [5, 5])).toEqual(NOTHING);
    expect(await referencesIn(testCase, 'run', [7, 3])).toEqual(NOTHING);
  });

  it('sees what a fork shares, up to its own events, and nothing of strangers', async () => {
    const [testCase, stranger] = [open(), open()];
    await startRun(testCase, { runId: 'a', events: EVENTS });
    await forkRun(testCase, 'b', { runId: 'a', fromSequence: 3 });
    await extend(testCase, { runId: 'b', expectedHead: 2, events: [window(['b3'], [1]), summarized('b4')] });
    await forkRun(testCase, 'c', { runId: 'b', fromSequence: 4 });
    await extend(testCase, { runId: 'c', expectedHead: 3, events: [window(['c4'], [1])] });
    const shared = { summaries: ['s1'], renderings: ['b3', 'c1', 'c2', 'c4'], earlierSummaries: [] };
    expect(await referencesIn(testCase, 'c', [0, 4])).toEqual(shared);
    expect(await referencesIn(testCase, 'c', [3, 4])).toEqual({
      summaries: [],
      renderings: ['b3', 'c4'],
      earlierSummaries: [1],
    });
    expect(await referencesIn(testCase, 'absent', [0, 9])).toEqual(NOTHING);
    expect(await referencesIn(stranger, 'a', [0, 9])).toEqual(NOTHING);
  });

  it('goes as far as the bound of one answer, and says where to ask on', async () => {
    const testCase = open();
    const feeding = (cut: string, summaries: number) => window([cut], new Array<number>(summaries).fill(0));
    // An event and its cut are two: the first two are the bound exactly, the last is above it by itself.
    const half = CONTEXT_REFERENCES / 2 - 2;
    const sizes = [half, half, 0, CONTEXT_REFERENCES];
    const events = sizes.map((size, place) => feeding(`c${place}`, size));
    await startRun(testCase, { runId: 'run', events: [summarized('s0')] });
    await extend(testCase, { runId: 'run', expectedHead: 0, events });
    const [first, second, third] = [
      await referencesIn(testCase, 'run', [1, 4]),
      await referencesIn(testCase, 'run', [3, 4]),
      await referencesIn(testCase, 'run', [4, 4]),
    ];
    const earlierSummaries = [0];
    expect(first).toEqual({ summaries: [], renderings: ['c0', 'c1'], earlierSummaries, next: 3 });
    expect(second).toEqual({ ...NOTHING, renderings: ['c2'], next: 4 });
    expect(third).toEqual({ ...NOTHING, renderings: ['c3'], earlierSummaries });
  });
}
