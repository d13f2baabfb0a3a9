import type { ContextSettings, ContextSummarized } from '@palimpsest/contracts';
import { SimulatedRun } from '../testing/simulated-run.js';
import type { AssemblyEffects } from './assembly-effects.js';
import { tokensOf } from './summary-in-force.js';

const ROUNDS = 500;
const BUDGET = 4000;
const settings = (over: Partial<ContextSettings> = {}): ContextSettings => ({
  transcriptTokenBudget: BUDGET,
  tokenCounter: 'o200k_base',
  keepLastTurns: 2,
  strategy: 'recursive',
  ...over,
});

/** Summaries that hold places instead of texts, the newest that there is room for, at `cost` tokens each. */
function remembering(cost: number) {
  const held = new Map<string, readonly number[]>();
  const effects: AssemblyEffects = {
    cut: (row, max) => Promise.resolve({ artifactId: `art_cut_${row.sequence}`, tokens: max }),
    summarize: ({ rows, absorbed, maxTokens }) => {
      const older = absorbed.flatMap(({ summaryRef }) => held.get(summaryRef) ?? []);
      const most = Math.floor(maxTokens / cost);
      const places = most === 0 ? [] : [...older, ...rows.map(({ sequence }) => sequence)].slice(-most);
      if (places.length === 0) return Promise.resolve(undefined);
      const summaryRef = `art_${held.size}`;
      held.set(summaryRef, places);
      return Promise.resolve({ summaryRef, tokens: places.length * cost });
    },
  };
  return { held, effects };
}

async function lived(over: Partial<ContextSettings> = {}, rounds = ROUNDS) {
  const { held, effects } = remembering(8);
  const run = new SimulatedRun(settings(over), effects);
  for (let round = 0; round < rounds; round += 1) {
    await run.play({ act: 'call', tokens: 20, calls: 1 });
    await run.play({ act: 'result', tokens: 30 + ((round * 37) % 90), newest: true });
    await run.play({ act: 'window' });
  }
  return { run, held };
}

function summarized(run: SimulatedRun): ContextSummarized[] {
  return run.windows.flatMap(({ events }) =>
    events.slice(0, -1).map(({ payload }) => payload as unknown as ContextSummarized),
  );
}

describe('summaries in tiers, over hundreds of rounds', () => {
  let long: Awaited<ReturnType<typeof lived>>;
  beforeAll(async () => {
    long = await lived();
  }, 60_000);

  it('never exceed the ceiling, nor four side by side, nor their share where turns are small', () => {
    const { run } = long;
    for (const { payload, assembled } of run.windows) {
      expect(payload.tokenCount).toBeLessThanOrEqual(BUDGET);
      expect(assembled.summaries.length).toBeLessThanOrEqual(4);
      expect(tokensOf(assembled.summaries)).toBeLessThanOrEqual(run.shape.summaryTarget);
    }
    const most = Math.max(...run.windows.map(({ assembled }) => assembled.summaries.length));
    expect(most).toBeGreaterThan(2);
  });

  it('let the log grow with the transcript: a message is named once, and few summaries are named beside', () => {
    const { run } = long;
    const events = summarized(run);
    const ids = events.flatMap(({ replacedTurns }) => replacedTurns);
    const messages = run.summarized.size;
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeLessThan(messages * 1.25);
    for (const { tokensBefore, tokensAfter } of events) expect(tokensAfter).toBeLessThan(tokensBefore);
  });

  it('keep the newest of what is no longer fed', () => {
    const { run, held } = long;
    for (const { assembled, payload } of run.windows.slice(-50)) {
      const kept = new Set(assembled.summaries.flatMap(({ summaryRef }) => held.get(summaryRef) ?? []));
      const gone = run.rows.filter(({ sequence }) => sequence < payload.tailFromSequence).slice(-10);
      expect(gone.every(({ sequence }) => kept.has(sequence))).toBe(true);
    }
  });

  it('stand for more than one compaction before they are merged', () => {
    const { run } = long;
    const merges = summarized(run).filter(({ replacedTurns }) => replacedTurns.length <= 4).length;
    const cuts = run.windows.filter(({ assembled }) => assembled.newSummaries.length > 0).length;
    expect(merges).toBeGreaterThan(0);
    expect(merges).toBeLessThanOrEqual(cuts / 2 + 1);
  });

  it.each([
    [{ transcriptTokenBudget: 200, keepLastTurns: 1 }, 1],
    [{ transcriptWindow: 6, keepLastTurns: 1 }, 4],
  ])('are as many as there is room for: %j', async (over, most) => {
    const { run } = await lived(over, 120);
    const { transcriptTokenBudget, transcriptWindow = Infinity } = settings(over);
    for (const { payload, assembled } of run.windows) {
      const entries = assembled.fed.reduce((sum, turn) => sum + turn.entries, assembled.summaries.length);
      expect(entries).toBeLessThanOrEqual(transcriptWindow);
      expect(payload.tokenCount).toBeLessThanOrEqual(transcriptTokenBudget);
      expect(assembled.summaries.length).toBeLessThanOrEqual(most);
    }
  });
});
