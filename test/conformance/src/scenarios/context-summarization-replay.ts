// Host specification §6.7 (checks 1 to 5), §6.5, §4.7 (counts of a replay).
import { ofType } from '../client/expectations.js';
import type { Json } from '../client/host.js';
import { LIVE, liveRun } from '../client/live-run.js';
import { decisionsOf } from '../client/loops.js';
import { eventsOf, pathOf, waitForStatus, type EndedRun } from '../client/runs.js';
import { summaryTexts, windowsOf } from '../client/transcript-windows.js';
import { all, contextBudget, fixtures, replays, seam, summarization, type Scenario } from '../scenario.js';

const LIVE_TEST_MS = 200_000;

type Replayed = { readonly source: EndedRun; readonly runId: string; readonly events: readonly Json[] };

export const scenario: Scenario = {
  name: 'context-summarization-replay',
  needs: all(contextBudget, summarization, replays, fixtures(LIVE), seam('transcript window')),
  tests(host) {
    const replayed = host.early(async (): Promise<Replayed> => {
      const source = await liveRun(host);
      const { status, json } = await host.post(pathOf(source.runId, ':fork'), { mode: 'replay', fromSeq: 0 });
      expect(status).toBe(201);
      const runId = String(json.runId);
      await waitForStatus(host, runId, 'completed');
      return { source, runId, events: await eventsOf(host, runId) };
    });

    it(
      'repeats a run with summaries to its end',
      async () => {
        const { source, events } = await replayed();
        expect(ofType(source.events, 'context.summarized').length).toBeGreaterThan(0);
        expect(decisionsOf(events)).toEqual(decisionsOf(source.events));
      },
      LIVE_TEST_MS,
    );

    it('names the same summaries, of the same turns', async () => {
      const { source, events } = await replayed();
      expect(fingerprintsOf(events)).toEqual(fingerprintsOf(source.events));
    });

    it('feeds the same summaries, byte for byte', async () => {
      const { source, runId, events } = await replayed();
      const [before, after] = await Promise.all([windowsOf(host, source.runId), windowsOf(host, runId)]);
      const texts = summaryTexts(before, source.events);
      expect(texts.length).toBeGreaterThan(0);
      expect(summaryTexts(after, events)).toEqual(texts);
    });

    it('feeds the same windows, in events of its own', async () => {
      const { source, runId, events } = await replayed();
      const [before, after] = await Promise.all([windowsOf(host, source.runId), windowsOf(host, runId)]);
      expect(after.map(textsOf)).toEqual(before.map(textsOf));
      const known = new Set(events.map(({ eventId }) => String(eventId)));
      expect(after.flatMap(({ eventIds }) => eventIds as string[]).filter((id) => !known.has(id))).toEqual(
        [],
      );
    });

    it('serves the summaries of its source as its own', async () => {
      const { source, runId, events } = await replayed();
      for (const { payload } of ofType(events, 'context.summarized')) {
        const rest = `/artifacts/${encodeURIComponent(String(payload.summaryRef))}`;
        const [own, sources] = await Promise.all([
          host.get(pathOf(runId, rest)),
          host.get(pathOf(source.runId, rest)),
        ]);
        expect([own.status, sources.status]).toEqual([200, 200]);
        expect(own.json.content).toEqual(sources.json.content);
      }
    });

    it('starts no worker and bills nothing anew', async () => {
      const { source, events } = await replayed();
      for (const type of ['provider.usage', 'core.workflowChain.event', 'node.dispatched']) {
        expect(payloadsOf(events, type)).toEqual(payloadsOf(source.events, type));
      }
    });
  },
};

function fingerprintsOf(events: readonly Json[]): readonly string[] {
  return ofType(events, 'context.summarized')
    .map(({ payload }) => `${payload.summaryRef}::${(payload.replacedTurns as string[]).join(',')}`)
    .sort();
}

function textsOf({ tokenCount, entries = [] }: Json): unknown {
  return [tokenCount, (entries as { rendered: string }[]).map(({ rendered }) => rendered)];
}

function payloadsOf(events: readonly Json[], type: string): readonly Json[] {
  return ofType(events, type).map(({ payload }) => payload as unknown);
}
