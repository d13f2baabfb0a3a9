// Host specification §6.1 (fields, refusals), §6.2 (prefix, owner, no parent), §3.3 (snapshot).
import { expectEventEnvelope, expectOrdered, expectRefusal, expectUnknown } from '../client/expectations.js';
import { endedRun, expectForked, factsOf, fork, forkToEnd, NOBODY, type ForkBody } from '../client/forks.js';
import { eventsOf, pathOf, waitForEnd } from '../client/runs.js';
import { all, branches, fixtures, replays, type Scenario } from '../scenario.js';

const IDENTITY = 'conformance-identity';
const PARTS = { inputs: { payload: { a: [1, { b: 'é' }], c: null } } };

const BAD_BODIES: readonly (readonly [string, ForkBody])[] = [
  ['no mode', { fromSeq: 0 }],
  ['a mode that is none', { mode: 'copy', fromSeq: 0 }],
  ['a mode that is no text', { mode: 1, fromSeq: 0 }],
  ['a negative place', { mode: 'replay', fromSeq: -1 }],
  ['half a place', { mode: 'branch', fromSeq: 0.5 }],
  ['a place that is no number', { mode: 'branch', fromSeq: '1' }],
  ['a branch from nowhere', { mode: 'branch' }],
  ['an overlay on a replay', { mode: 'replay', fromSeq: 0, runOptionsOverlay: { tags: ['x'] } }],
  ['an overlay that is no object', { mode: 'branch', fromSeq: 0, runOptionsOverlay: [] }],
];

export const scenario: Scenario = {
  name: 'replay-fork',
  needs: all(replays, branches, fixtures(IDENTITY, 'conformance-multi-node', 'conformance-failure')),
  tests(host) {
    it('replays a run from its start: an id of its own, and all else as it was', async () => {
      const source = await endedRun(host, IDENTITY, PARTS);
      const replay = await forkToEnd(host, source.runId, { mode: 'replay' });
      expect(replay.snapshot).toMatchObject({ workflowId: IDENTITY, status: 'completed' });
      expect(replay.snapshot.variables).toEqual(source.snapshot.variables);
      expect(factsOf(replay.events)).toEqual(factsOf(source.events));
    });

    it.each(['replay', 'branch'])('shares what is before the fork point: %s', async (mode) => {
      const source = await endedRun(host, 'conformance-multi-node');
      const fromSeq = Math.floor(source.events.length / 2);
      const forked = await forkToEnd(host, source.runId, { mode, fromSeq });
      expect(forked.snapshot.status).toBe('completed');
      expect(factsOf(forked.events).slice(0, fromSeq)).toEqual(factsOf(source.events).slice(0, fromSeq));
      expectOrdered(forked.events);
      for (const event of forked.events) expectEventEnvelope(event, forked.runId);
    });

    it('leaves its source as it was', async () => {
      const { runId, events } = await endedRun(host, 'conformance-multi-node');
      await forkToEnd(host, runId, { mode: 'branch', fromSeq: 1 });
      expect(await eventsOf(host, runId)).toEqual(events);
    });

    it('has the owner of its source, and is nobody’s child', async () => {
      const source = await endedRun(host, IDENTITY, PARTS);
      const { snapshot } = await forkToEnd(host, source.runId, { mode: 'replay', fromSeq: 0 });
      expect(snapshot.owner).toEqual(source.snapshot.owner);
      expect(snapshot.parentRunId).toBeUndefined();
    });

    it('fails again where its source failed, for the same reason', async () => {
      const source = await endedRun(host, 'conformance-failure');
      const { snapshot } = await forkToEnd(host, source.runId, { mode: 'replay', fromSeq: 0 });
      expect(snapshot).toMatchObject({ status: 'failed', error: { code: source.snapshot.error.code } });
    });

    it('takes an empty overlay, and forks of forks', async () => {
      const source = await endedRun(host, 'conformance-multi-node');
      const body = { mode: 'replay', fromSeq: 0, runOptionsOverlay: {} };
      const { runOptionsOverlay: _empty, ...asked } = body;
      const child = expectForked(await fork(host, source.runId, body), source.runId, asked);
      const grandchild = await forkToEnd(host, child, { mode: 'branch', fromSeq: 1 });
      expect(factsOf(grandchild.events).slice(0, 1)).toEqual(factsOf(source.events).slice(0, 1));
    });

    it('puts its overlay over what its source was started with, in a branch', async () => {
      const source = await endedRun(host, IDENTITY, PARTS);
      const runOptionsOverlay = { tags: ['overlaid'], metadata: { why: 'conformance' } };
      const body = { mode: 'branch', fromSeq: 1, runOptionsOverlay };
      const { runOptionsOverlay: _over, ...asked } = body;
      const runId = expectForked(await fork(host, source.runId, body), source.runId, asked);
      expect(await waitForEnd(host, runId)).toMatchObject({ status: 'completed', ...runOptionsOverlay });
      const { json: unchanged } = await host.get(pathOf(source.runId));
      expect([unchanged.tags, unchanged.metadata]).toEqual([source.snapshot.tags, source.snapshot.metadata]);
    });

    it.each(BAD_BODIES)('refuses %s', async (_, body) => {
      const { runId } = await endedRun(host, 'conformance-multi-node');
      expectRefusal(await fork(host, runId, body), 400, 'validation_error');
    });

    it('refuses what is wrong with the body before it looks at the place', async () => {
      const { runId } = await endedRun(host, 'conformance-multi-node');
      const answer = await fork(host, runId, { mode: 'copy', fromSeq: 4_000_000 });
      expectRefusal(answer, 400, 'validation_error');
    });

    it.each(['replay', 'branch'])('knows no unknown source: %s', async (mode) => {
      expectUnknown(await fork(host, NOBODY, { mode, fromSeq: 0 }));
    });

    it('asks for a key', async () => {
      const { runId } = await endedRun(host, 'conformance-multi-node');
      const path = pathOf(runId, ':fork');
      const answer = await host.request('POST', path, { body: { mode: 'replay' }, bare: true });
      expectRefusal(answer, 401);
    });
  },
};
