// Host specification §6.6 (`replayDeterminism` of the public suite), §12.7 (5: two forks, and their length).
import { typesOf } from '../client/expectations.js';
import type { Host } from '../client/host.js';
import { endedRun, factsOf, forkToEnd } from '../client/forks.js';
import { all, fixtures, replays, type Scenario } from '../scenario.js';

type Comparison = { readonly forks: readonly (readonly unknown[])[]; readonly source: readonly unknown[] };

/** Two replays from the start, and what they replay. */
async function replayedTwice(host: Host, workflowId: string, inputs = {}): Promise<Comparison> {
  const source = await endedRun(host, workflowId, { inputs });
  const body = { mode: 'replay', fromSeq: 0 };
  const forks = [await forkToEnd(host, source.runId, body), await forkToEnd(host, source.runId, body)];
  for (const { events } of forks) expect(typesOf(events)).toEqual(typesOf(source.events));
  return { forks: forks.map(({ events }) => factsOf(events)), source: factsOf(source.events) };
}

export const scenario: Scenario = {
  name: 'replay-determinism',
  needs: all(
    replays,
    fixtures('conformance-noop', 'conformance-identity', 'conformance-delay', 'conformance-multi-node'),
  ),
  tests(host) {
    it('replays a run twice to the same log: type, node and payload of every event', async () => {
      const { forks, source } = await replayedTwice(host, 'conformance-noop');
      const [one, two] = forks;
      expect(one).toEqual(two);
      expect(one).toEqual(source);
    });

    it.each([
      ['conformance-identity', { payload: { text: 'é', list: [1, 2.5, null] } }],
      ['conformance-delay', { delayMs: 20 }],
      ['conformance-multi-node', {}],
    ])('also where it holds values, waited, or has several nodes: %s', async (workflowId, inputs) => {
      const { forks, source } = await replayedTwice(host, workflowId, inputs);
      expect(forks).toEqual([source, source]);
    });

    it('replays a replay to the same log', async () => {
      const source = await endedRun(host, 'conformance-noop');
      const body = { mode: 'replay', fromSeq: 0 };
      const replay = await forkToEnd(host, source.runId, body);
      const again = await forkToEnd(host, replay.runId, body);
      expect(factsOf(again.events)).toEqual(factsOf(source.events));
    });
  },
};
