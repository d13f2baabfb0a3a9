// Host specification §4.7, §8.2; the live run shows that usage is told.
import { isText, isWhole, ofType } from '../client/expectations.js';
import type { Discovery, Host, Json } from '../client/host.js';
import { LIVE, liveRun } from '../client/live-run.js';
import type { EndedRun } from '../client/runs.js';
import { all, fixtures, type Scenario } from '../scenario.js';

const LIVE_TEST_MS = 200_000;
const KNOWN = [
  ...['provider', 'model', 'inputTokens', 'outputTokens', 'totalTokens', 'costEstimateUsd', 'currency'],
  ...['cacheHit', 'cacheReadTokens', 'cacheWriteTokens', 'nodeId', 'traceId'],
];
const CREDENTIAL = /\b(sk-|Bearer |api[-_]?key|ghp_|AKIA)/i;

export const scenario: Scenario = {
  name: 'provider-usage',
  needs: all(providerUsage, fixtures(LIVE)),
  tests(host) {
    const usages = async (): Promise<readonly Json[]> =>
      ofType((await decidedRun(host)).events, 'provider.usage');

    it(
      'is told of a run that asks a model',
      async () => {
        expect((await usages()).length).toBeGreaterThan(0);
      },
      LIVE_TEST_MS,
    );

    it('holds what it has to, and nothing else', async () => {
      for (const { payload } of await usages()) expect(problemsOf(payload)).toEqual([]);
    });

    it('holds no credential', async () => {
      const texts = (await usages()).flatMap(({ payload }) =>
        Object.values(payload as object).filter(isText),
      );
      expect(texts.filter((text) => CREDENTIAL.test(text) || text.includes(host.apiKey))).toEqual([]);
    });

    it('is told of each turn before its decision', async () => {
      const { events } = await decidedRun(host);
      const supervisor: unknown = ofType(events, 'runOrchestrator.decided')[0].nodeId;
      let told = 0;
      for (const { type, nodeId, payload } of events) {
        if (type === 'provider.usage' && [nodeId, payload.nodeId].includes(supervisor)) told += 1;
        if (type !== 'runOrchestrator.decided') continue;
        expect({ iteration: payload.iteration, told: told > 0 }).toEqual({
          iteration: payload.iteration,
          told: true,
        });
        told = 0;
      }
    });
  },
};

/** The live run, of which there is nothing to say where its model decided nothing. */
async function decidedRun(host: Host): Promise<EndedRun> {
  const run = await liveRun(host);
  const { status, error } = run.snapshot;
  const decisions = ofType(run.events, 'runOrchestrator.decided').length;
  if (decisions === 0)
    throw new Error(
      `The live run ${run.runId} made no decision: its status is ${status}, its error ${error?.code}.`,
    );
  return run;
}

function problemsOf(payload: Json): readonly string[] {
  const counts = ['inputTokens', 'outputTokens'].filter((name) => !isWhole(payload[name], 0));
  const optional = ['totalTokens', 'cacheReadTokens', 'cacheWriteTokens'].filter(
    (name) => !isWhole(payload[name] ?? 0, 0),
  );
  return [
    ...['provider', 'model'].filter((name) => !isText(payload[name])),
    ...counts,
    ...optional,
    ...Object.keys(payload as object).filter((key) => !KNOWN.includes(key)),
    ...(payload.currency === undefined || /^[A-Z]{3}$/.test(String(payload.currency)) ? [] : ['currency']),
  ];
}

function providerUsage(discovery: Discovery): string | undefined {
  const claimed: unknown = discovery['providerUsage']?.supported;
  return claimed === true ? undefined : 'discovery claims no providerUsage';
}
