// Host specification §9.2 (checks 1 to 11), §5.8, §4.5.
import { expectRefusal, ofType } from '../client/expectations.js';
import { LIVE, liveRun } from '../client/live-run.js';
import { decisionsOf, expectTurns } from '../client/loops.js';
import { pathOf } from '../client/runs.js';
import { askWindow, windowsOf, type TranscriptWindow } from '../client/transcript-windows.js';
import { isUnderPressure, missingOfTail, WINDOW_RULES, type JudgedWindow } from '../client/window-rules.js';
import { all, contextBudget, contextBudgetOf, fixtures, seam, type Scenario } from '../scenario.js';

const SUMMARIZED = [
  'iteration',
  'replacedTurns',
  'summaryRef',
  'tokenCounter',
  'tokensAfter',
  'tokensBefore',
];
const LIVE_TEST_MS = 200_000;

export const scenario: Scenario = {
  name: 'context-budget-transcript-bound',
  needs: all(contextBudget, fixtures(LIVE), seam('transcript window')),
  tests(host) {
    const run = host.early(() => liveRun(host));
    let windows: Promise<readonly TranscriptWindow[]> | undefined;

    async function judged(): Promise<readonly JudgedWindow[]> {
      const { runId, events } = await run();
      windows ??= windowsOf(host, runId);
      const { transcriptTokenBudget = 0, tokenCounter = '' } = contextBudgetOf(await host.discovery()) ?? {};
      const budget = { tokens: transcriptTokenBudget, counter: tokenCounter };
      return (await windows).map((window, place) => ({ window, iteration: place + 1, events, budget }));
    }

    it(
      'takes turns until it is done',
      async () => {
        const { snapshot, events } = await run();
        expect(snapshot).toMatchObject({ status: 'completed' });
        expectTurns(events, decisionsOf(events).length);
        expect(decisionsOf(events).at(-1).decision.kind).toBe('terminate');
      },
      LIVE_TEST_MS,
    );

    it('has a window for each turn, and none for a turn that was not', async () => {
      const { runId, events } = await run();
      const turns = decisionsOf(events).length;
      expect(await judged()).toHaveLength(turns);
      expectRefusal(await askWindow(host, runId, turns + 1), 404, 'not_found');
    });

    it('begins with an empty one', async () => {
      const [first] = await judged();
      expect(first?.window).toMatchObject({ tokenCount: 0, eventIds: [], summarizedRanges: [] });
    });

    it.each(WINDOW_RULES)('rule %s', async (_name, rule) => {
      const windows = await judged();
      expect(windows.length).toBeGreaterThan(0);
      const found = windows.flatMap((window) =>
        rule(window).map((what) => `window ${window.iteration}: ${what}`),
      );
      expect(found).toEqual([]);
    });

    it('rule 11: keeps the last turns in the last window', async () => {
      const { keepLastTurns = 0 } = contextBudgetOf(await host.discovery())?.summarization ?? {};
      const last = (await judged()).at(-1);
      expect(last && missingOfTail(last, keepLastTurns)).toEqual([]);
    });

    it('is under pressure, or nothing was shown', async () => {
      expect((await judged()).some(isUnderPressure)).toBe(true);
    });

    it('records a summary before the decision that it was fed to, free of content, and smaller', async () => {
      const { events } = await run();
      const supervisor: unknown = events.find(({ type }) => type === 'runOrchestrator.decided')?.nodeId;
      for (const { nodeId, payload, sequence } of ofType(events, 'context.summarized')) {
        expect(nodeId).toBe(supervisor);
        expect(Object.keys(payload as object).sort()).toEqual(SUMMARIZED);
        expect(payload.tokensAfter).toBeLessThan(payload.tokensBefore);
        const decided = ofType(events, 'runOrchestrator.decided').find(
          (event) => event.payload.iteration === payload.iteration,
        );
        expect(sequence).toBeLessThan(decided?.sequence);
      }
    });

    it('lets every summary be read', async () => {
      const { runId, events } = await run();
      for (const { payload } of ofType(events, 'context.summarized')) {
        const path = pathOf(runId, `/artifacts/${encodeURIComponent(String(payload.summaryRef))}`);
        expect((await host.get(path)).status).toBe(200);
      }
    });

    it.each(['no-number', '1.5'])('refuses the iteration %s', async (iteration) => {
      const { runId } = await run();
      expectRefusal(await askWindow(host, runId, iteration), 400, 'validation_error');
    });

    it('knows nothing of a run that nobody knows', async () => {
      expectRefusal(await askWindow(host, 'run-of-nobody', 1), 404, 'not_found');
    });
  },
};
