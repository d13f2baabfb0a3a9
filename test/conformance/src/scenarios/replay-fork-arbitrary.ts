// Host specification §6.1 (places, 422), §6.2 (prefix), §6.3 (nothing left of what was refused).
import { expectEndedBy, expectRefusal } from '../client/expectations.js';
import { endedRun, factsOf, fork, forkToEnd } from '../client/forks.js';
import { all, branches, fixtures, replays, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-multi-node';

/** Behind the last event by so many: the event behind the last is no place either, as the run has ended. */
const PAST = [
  ['replay', 1],
  ['branch', 1],
  ['replay', 2],
  ['branch', 2],
  ['branch', 4_000_000],
] as const;

export const scenario: Scenario = {
  name: 'replay-fork-arbitrary',
  needs: all(replays, branches, fixtures(WORKFLOW)),
  tests(host) {
    it.each(['replay', 'branch'])('forks at every event of a run that has ended: %s', async (mode) => {
      const source = await endedRun(host, WORKFLOW);
      const facts = factsOf(source.events);
      for (const { sequence } of source.events) {
        const fromSeq = Number(sequence);
        const { snapshot, events } = await forkToEnd(host, source.runId, { mode, fromSeq });
        expect([fromSeq, snapshot.status]).toEqual([fromSeq, 'completed']);
        expect(factsOf(events).slice(0, fromSeq)).toEqual(facts.slice(0, fromSeq));
        expectEndedBy(events, 'run.completed');
        if (mode === 'replay') expect(factsOf(events)).toEqual(facts);
      }
    });

    it.each(PAST)('refuses a %s from %i behind the last event', async (mode, behind) => {
      const { runId, events } = await endedRun(host, WORKFLOW);
      const fromSeq = Number(events.at(-1)?.sequence) + behind;
      const answer = await fork(host, runId, { mode, fromSeq });
      expectRefusal(answer, 422, 'invalid_from_seq');
      expect(answer.json.runId).toBeUndefined();
    });
  },
};
