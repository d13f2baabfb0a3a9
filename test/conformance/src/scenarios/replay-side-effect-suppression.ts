// Host specification §6.4 (recorded outcome), §1.4 (the claim), §6.5 (a delay in a replay).
import { expectEndedBy, ofType } from '../client/expectations.js';
import { scaled } from '../client/deadlines.js';
import { expectForked, factsOf, fork } from '../client/forks.js';
import type { Discovery, Host, Json } from '../client/host.js';
import { cancel, eventsOf, runToEnd, startRun, waitForEnd, waitForStatus } from '../client/runs.js';
import { all, fixtures, replays, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-replay-side-effect';
const EFFECT = 'effect';
const IN_FLIGHT_MS = 5000;
/** A replay's own delay is part of it. */
const REPLAYED_MS = 45_000;
const REPLAY = { mode: 'replay' };

export const scenario: Scenario = {
  name: 'replay-side-effect-suppression',
  needs: all(suppresses, replays, fixtures(WORKFLOW)),
  tests(host) {
    it('fails where nothing was recorded that a replay could repeat, and has no effect', async () => {
      const source = await cancelledInFlight(host);
      const before = await countOf(host);
      const events = await replayed(host, source);
      const ofEffect = (type: string): readonly unknown[] =>
        ofType(events, type).filter(({ nodeId }) => nodeId === EFFECT);
      expect(ofEffect('node.completed')).toEqual([]);
      expect(ofEffect('node.failed')).toEqual([
        expect.objectContaining({
          payload: expect.objectContaining({
            error: expect.objectContaining({ code: 'replay_source_missing' }),
          }),
        }),
      ]);
      expectEndedBy(events, 'run.failed');
      expect(await countOf(host)).toBe(before);
    });

    it('goes on in the same way in every replay of one run', async () => {
      const source = await cancelledInFlight(host);
      const [one, other] = await Promise.all([replayed(host, source), replayed(host, source)]);
      expect(factsOf(one)).toEqual(factsOf(other));
    });

    it('takes what was recorded, without having it again', async () => {
      const { runId, events } = await runToEnd(host, WORKFLOW, { inputs: { delayMs: 0 } });
      expectEndedBy(events, 'run.completed');
      const before = await countOf(host);
      expect(factsOf(await replayed(host, runId))).toEqual(factsOf(events));
      expect(await countOf(host)).toBe(before);
    });

    it('counts effects of runs, where they are counted', async () => {
      const before = await countOf(host);
      await runToEnd(host, WORKFLOW, { inputs: { delayMs: 0 } });
      const after = await countOf(host);
      expect(after).toBe(before === undefined ? undefined : before + 1);
    });
  },
};

async function cancelledInFlight(host: Host): Promise<string> {
  const runId = await startRun(host, WORKFLOW, { inputs: { delayMs: IN_FLIGHT_MS } });
  await waitForStatus(host, runId, 'running', scaled(IN_FLIGHT_MS));
  expect((await cancel(host, runId)).status).toBe(200);
  await waitForStatus(host, runId, 'cancelled');
  return runId;
}

/** The log of a replay, once that has ended. */
async function replayed(host: Host, sourceRunId: string): Promise<readonly Json[]> {
  const runId = expectForked(await fork(host, sourceRunId, REPLAY), sourceRunId, REPLAY);
  await waitForEnd(host, runId, scaled(REPLAYED_MS));
  return eventsOf(host, runId);
}

/** How often the effect was had so far; undefined where the host has no seam that tells. */
async function countOf(host: Host): Promise<number | undefined> {
  if (!host.seams.has('side effects')) return undefined;
  const { status, json } = await host.get(`/v1/host/sample/test/side-effects?nodeId=${EFFECT}`);
  expect([status, json]).toEqual([200, { nodeId: EFFECT, count: expect.any(Number) }]);
  return Number(json.count);
}

function suppresses(discovery: Discovery): string | undefined {
  const claimed: unknown = discovery['replay']?.sideEffectSuppression;
  return claimed === 'recorded-outcome' ? undefined : 'discovery claims no sideEffectSuppression';
}
