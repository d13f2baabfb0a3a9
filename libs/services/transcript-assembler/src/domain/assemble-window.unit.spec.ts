import { CONTEXT_STRATEGIES, type ContextSettings } from '@palimpsest/contracts';
import { shapeBudget } from '@palimpsest/transcript';
import fc from 'fast-check';
import { SimulatedRun, type Act, type SimulatedWindow } from '../testing/simulated-run.js';
import type { AssemblyEffects, SummaryWanted } from './assembly-effects.js';
import { isWithin } from './carried-over.js';
import { coveredPlaces, WindowExplainer } from './explain-window.js';
import { tokensOf } from './summary-in-force.js';

const COUNTERS = ['o200k_base', 'cl100k_base', 'chars'] as const;

const settingsArbitrary: fc.Arbitrary<ContextSettings> = fc
  .record({
    transcriptTokenBudget: fc.integer({ min: 64, max: 4000 }),
    tokenCounter: fc.constantFrom(...COUNTERS),
    keepLastTurns: fc.integer({ min: 0, max: 5 }),
    strategy: fc.constantFrom(...CONTEXT_STRATEGIES),
    transcriptWindow: fc.option(fc.integer({ min: 3, max: 30 }), { nil: undefined }),
  })
  .map(({ transcriptWindow, ...rest }) => ({
    ...rest,
    ...(transcriptWindow !== undefined && { transcriptWindow }),
  }))
  .filter((settings) => shapeBudget(settings).feasible);

const sizeArbitrary = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 3, max: 120 }) },
  { weight: 2, arbitrary: fc.integer({ min: 100, max: 2000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2000, max: 100_000 }) },
);

const actArbitrary: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant('say' as const), tokens: sizeArbitrary }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('call' as const),
      tokens: sizeArbitrary,
      calls: fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: 1, max: 4 }) },
        { weight: 1, arbitrary: fc.integer({ min: 20, max: 200 }) },
      ),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant('result' as const),
      tokens: sizeArbitrary,
      newest: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.constant({ act: 'window' as const }) },
);

/** Half of the rows, in whole turns or not, as a summary that was made ahead offers them. */
function readyFor({ rows, maxTokens }: SummaryWanted, share: number) {
  const ready = [...rows].sort((a, b) => a.sequence - b.sequence).slice(0, Math.ceil(rows.length / 2));
  const tokens = Math.max(1, Math.floor(maxTokens * share));
  return { summaryRef: `art_ready_${ready[0]?.sequence}_${tokens}`, tokens, rows: ready };
}

/**
 * Cuts and summaries that take what they may, or less; summaries are refused now and then, in part where they are made in
 * parts, and now and then one is ready.
 */
function effects(share: number, refuseEvery: number): AssemblyEffects {
  let asked = 0;
  return {
    cut: (row, max) =>
      Promise.resolve({
        artifactId: `art_cut_${row.sequence}`,
        tokens: Math.max(1, Math.floor(max * share)),
      }),
    summarize: ({ maxTokens, rows, parts }) => {
      asked += 1;
      if (asked % refuseEvery === 0) return Promise.resolve(undefined);
      return Promise.resolve({
        summaryRef: `art_sum_${rows[0]?.sequence}_${asked}`,
        tokens: Math.max(1, Math.floor(maxTokens * share)),
        ...(parts && { rows: parts.filter((_, at) => (asked + at) % refuseEvery !== 1).flat() }),
      });
    },
    prepared: (wanted) => {
      asked += 1;
      return Promise.resolve(asked % 3 === 0 && refuseEvery < 7 ? readyFor(wanted, share) : undefined);
    },
  };
}

async function played(
  settings: ContextSettings,
  acts: readonly Act[],
  world = effects(1, 7),
  jobTokens?: number,
): Promise<SimulatedRun> {
  const run = new SimulatedRun(settings, world, jobTokens);
  for (const act of [...acts, { act: 'window' as const }]) await run.play(act);
  return run;
}

function fedPlaces({ payload, rows }: SimulatedWindow): number[] {
  const islands = new Set(payload.islands.flat());
  const pending = new Set(payload.pending.flat());
  return rows
    .map(({ sequence }) => sequence)
    .filter((place) => islands.has(place) || (place >= payload.tailFromSequence && !pending.has(place)));
}

/** Entries as (place, tokens): what a provider's cache would see of the prefix. */
function fedEntries(window: SimulatedWindow): string[] {
  const forms = new Map(window.assembled.fed.flatMap(({ renderings }) => [...renderings]));
  return [
    ...window.payload.summarySequences.map((place) => `summary ${place}`),
    ...fedPlaces(window).map((place) => `${place} ${JSON.stringify(forms.get(place))}`),
  ];
}

const property = (check: (run: SimulatedRun, settings: ContextSettings) => void): Promise<void> =>
  fc.assert(
    fc.asyncProperty(
      settingsArbitrary,
      fc.array(actArbitrary, { minLength: 5, maxLength: 120 }),
      fc.constantFrom(1, 0.9, 0.4),
      fc.constantFrom(undefined, 2000),
      async (settings, acts, share, jobTokens) =>
        check(await played(settings, acts, effects(share, 5), jobTokens), settings),
    ),
    { numRuns: 150 },
  );

describe('assembling windows of random conversations', () => {
  it('never exceeds the budget or the entry bound, and counts what it feeds', () =>
    property((run, { transcriptTokenBudget, transcriptWindow }) => {
      for (const { payload, assembled } of run.windows) {
        expect(payload.tokenCount).toBeLessThanOrEqual(transcriptTokenBudget);
        const fed = assembled.fed.flatMap(({ renderings }) => [...renderings.values()]);
        const summaries = tokensOf(assembled.summaries);
        expect(fed.reduce((sum, { tokens }) => sum + tokens, summaries)).toBe(payload.tokenCount);
        const entries = fed.filter(({ form }) => form !== 'elided').length + payload.summarySequences.length;
        expect(entries).toBeLessThanOrEqual(transcriptWindow ?? Infinity);
      }
    }));

  it('feeds the last turns, whole turns only, and every opening message of a fed turn', () =>
    property((run, { keepLastTurns }) => {
      for (const window of run.windows) {
        const fed = new Set(fedPlaces(window));
        const kept = window.turns.slice(-Math.max(1, keepLastTurns));
        for (const { rows } of kept) expect(rows.every(({ sequence }) => fed.has(sequence))).toBe(true);
        for (const { rows } of window.turns) {
          expect(new Set(rows.map(({ sequence }) => fed.has(sequence))).size).toBe(1);
        }
        for (const { first } of window.assembled.fed)
          expect(isWithin(window.payload.elided, first)).toBe(false);
      }
    }));

  it('gives every event exactly one fate, and summarizes or evicts no turn that waits', () =>
    property((run) => {
      const links = run.windows.flatMap(({ events, payload }) =>
        events.slice(0, -1).map((event, index) => ({
          sequence: payload.asOfSequence + 1 + index,
          replacedTurns: event.payload['replacedTurns'] as string[],
        })),
      );
      for (const window of run.windows) {
        const { payload } = window;
        const explainer = new WindowExplainer(payload, coveredPlaces(payload.summarySequences, links));
        const fed = new Set(fedPlaces(window));
        for (const { rows, waiting } of window.turns) {
          for (const { sequence } of rows) {
            const { fate } = explainer.fateOf(sequence);
            expect(['fed', 'elided'].includes(fate)).toBe(fed.has(sequence));
            if (waiting) expect(['fed', 'elided', 'pending']).toContain(fate);
            else expect(fate).not.toBe('pending');
            if (fate === 'summarized') expect(run.summarized.has(sequence)).toBe(true);
          }
        }
      }
    }));

  it('records summaries that are smaller than what they replace and name at most 512 ids, each event once', () =>
    property((run) => {
      const replaced = run.windows.flatMap(({ assembled }) =>
        assembled.newSummaries.flatMap(({ rows }) => rows),
      );
      expect(new Set(replaced.map(({ sequence }) => sequence)).size).toBe(replaced.length);
      for (const { assembled, events } of run.windows) {
        for (const { tokensBefore, tokensAfter } of assembled.newSummaries)
          expect(tokensAfter).toBeLessThan(tokensBefore);
        for (const { payload } of events.slice(0, -1)) {
          expect((payload['replacedTurns'] as string[]).length).toBeLessThanOrEqual(512);
        }
      }
    }));

  it('feeds everything whole where it fits, and then records no summary', () =>
    property((run, { transcriptTokenBudget, transcriptWindow = Infinity }) => {
      for (const { payload, rows, assembled, turns } of run.windows) {
        const cut = turns.some(
          (turn) =>
            turn.rows.length > run.shape.entryFloor ||
            turn.rows.reduce((sum, { tokens }) => sum + tokens, 0) > run.shape.turnFloor,
        );
        const fits = payload.unboundedTokenCount <= transcriptTokenBudget - run.shape.summaryCap;
        if (cut || !fits || rows.length > transcriptWindow - 1) continue;
        expect(assembled.newSummaries).toHaveLength(0);
        expect(payload).toMatchObject({ tailFromSequence: 0, cuts: [], elided: [], summarySequences: [] });
        expect(payload.tokenCount).toBe(payload.unboundedTokenCount);
      }
    }));

  it('only grows at its end between two compactions, where no late result comes', () =>
    property((run) => {
      run.windows.slice(1).forEach((window, index) => {
        const before = run.windows[index];
        if (!before || before.payload.tailFromSequence !== window.payload.tailFromSequence) return;
        if (String(before.payload.summarySequences) !== String(window.payload.summarySequences)) return;
        const oldTurns = new Set(before.turns.map(({ first }) => first));
        const late = window.rows.some(
          ({ sequence, callSequence = -1 }) =>
            sequence > before.payload.asOfSequence && oldTurns.has(callSequence),
        );
        if (late || before.payload.pending.length + window.payload.pending.length > 0) return;
        const prefix = fedEntries(before);
        expect(fedEntries(window).slice(0, prefix.length)).toEqual(prefix);
      });
    }));

  it('answers the same to the same', () =>
    fc.assert(
      fc.asyncProperty(
        settingsArbitrary,
        fc.array(actArbitrary, { minLength: 5, maxLength: 60 }),
        async (settings, acts) => {
          const [first, second] = [await played(settings, acts), await played(settings, acts)];
          expect(first.windows.map(({ payload }) => payload)).toEqual(
            second.windows.map(({ payload }) => payload),
          );
        },
      ),
      { numRuns: 50 },
    ));
});

describe('edges of a budget', () => {
  const base: ContextSettings = {
    transcriptTokenBudget: 400,
    tokenCounter: 'o200k_base',
    keepLastTurns: 1,
    strategy: 'sliding-window',
  };
  const say = (tokens: number): Act => ({ act: 'say', tokens });

  it.each([
    [399, 0],
    [400, 0],
    [401, 1],
  ])('at %i of 400 tokens records %i summaries', async (total, summaries) => {
    const sizes = [100, 100, 100, total - 300];
    const run = await played(base, sizes.map(say));
    expect(run.windows[0]?.assembled.newSummaries).toHaveLength(summaries);
    expect(run.windows[0]?.payload.tokenCount).toBeLessThanOrEqual(400);
  });

  it('keeps the active turn with keepLastTurns 0', async () => {
    const run = await played({ ...base, keepLastTurns: 0 }, [say(300), say(300), say(300)]);
    expect(run.windows[0] && fedPlaces(run.windows[0])).toEqual([3]);
  });

  it('cuts one turn larger than the whole budget to all that the others leave', async () => {
    const run = await played(base, [say(50), say(10_000)]);
    expect(run.windows[0]?.payload.cuts).toEqual([
      { sequence: 2, artifactId: 'art_cut_2', tokens: run.shape.avail },
    ]);
  });

  it('elides the oldest of hundreds of results and keeps the newest', async () => {
    const flood: Act[] = [
      { act: 'call', tokens: 20, calls: 300 },
      ...Array.from({ length: 300 }, (): Act => ({ act: 'result', tokens: 90, newest: false })),
    ];
    const run = await played(base, flood);
    const { elided, tokenCount } = run.windows[0]?.payload ?? { elided: [], tokenCount: -1 };
    expect(elided).toHaveLength(1);
    expect(elided[0]?.[0]).toBe(2);
    expect(elided[0]?.[1]).toBeLessThan(301);
    expect(tokenCount).toBeLessThanOrEqual(400);
  });

  it('takes a turn back whose result comes after it was left out', async () => {
    const acts: Act[] = [
      { act: 'call', tokens: 300, calls: 1 },
      ...Array.from({ length: 12 }, () => say(110)).flatMap((turn): Act[] => [turn, { act: 'window' }]),
    ];
    const run = await played(base, acts);
    expect(run.windows.at(-1)?.payload.pending).toEqual([[1]]);
    await run.play({ act: 'result', tokens: 40, newest: false });
    await run.play({ act: 'window' });
    const last = run.windows.at(-1);
    expect(last?.payload.pending).toEqual([]);
    expect(last?.payload.islands).toEqual([[1, last?.payload.asOfSequence]]);
  });

  const LARGE = [120, 120, 120, 120].map(say);

  it('fills what large turns leave with the summary, and makes it anew where one of them grows', async () => {
    const run = await played(base, [...LARGE, { act: 'call', tokens: 20, calls: 1 }]);
    const [before] = run.windows;
    expect(before?.payload.tokenCount).toBeGreaterThan(300);
    await run.play({ act: 'result', tokens: 500, newest: true });
    await run.play({ act: 'window' });
    const after = run.windows.at(-1);
    expect(after && fedPlaces(after)).toEqual([LARGE.length + 1, after?.payload.asOfSequence]);
    expect(after?.assembled.newSummaries).toEqual([
      expect.objectContaining({ rows: [], absorbs: [{ sequence: before?.payload.summarySequences[0] }] }),
    ]);
    expect(after?.events).toHaveLength(2);
    expect(after?.payload.tokenCount).toBeLessThanOrEqual(400);
  });

  it('does without a summary that has become too large where a new one is refused', async () => {
    let asked = 0;
    const refusing: AssemblyEffects = {
      ...effects(1, Infinity),
      summarize: ({ maxTokens }) => {
        asked += 1;
        return Promise.resolve(asked > 1 ? undefined : { summaryRef: 'art_sum', tokens: maxTokens });
      },
    };
    const run = await played(base, [...LARGE, { act: 'call', tokens: 20, calls: 1 }], refusing);
    await run.play({ act: 'result', tokens: 500, newest: true });
    await run.play({ act: 'window' });
    expect(run.windows.at(-1)?.payload).toMatchObject({ summarySequences: [] });
    expect(run.windows.at(-1)?.payload.tokenCount).toBeLessThanOrEqual(400);
  });

  it('keeps half of the budget free after a compaction where turns are small', async () => {
    const settings = { ...base, transcriptTokenBudget: 2000 };
    const run = await played(
      settings,
      Array.from({ length: 34 }, () => say(60)),
    );
    expect(run.windows[0]?.assembled.newSummaries).toHaveLength(1);
    expect(run.windows[0]?.payload.tokenCount).toBeLessThanOrEqual(1000);
  });

  it('evicts without a summary under strategy none', async () => {
    const run = await played(
      { ...base, strategy: 'none' },
      Array.from({ length: 10 }, () => say(100)),
    );
    expect(run.windows[0]?.events).toHaveLength(1);
    expect(run.windows[0] && fedPlaces(run.windows[0]).length).toBeGreaterThan(0);
    expect(run.windows[0]?.payload.tokenCount).toBeLessThanOrEqual(400);
  });
});
