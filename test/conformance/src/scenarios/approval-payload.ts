// Host specification §4.9 (`interrupt.requested`, closed; data of an approval), §3.5 (actions), §4.1.
import { isText, isWhole, placeOf } from '../client/expectations.js';
import type { Json } from '../client/host.js';
import { eventsOf, resume, suspendedRun, waitForStatus } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const REQUEST_KEYS = ['kind', 'key', 'data', 'resumeSchema', 'timeoutMs'];
const ACTIONS = ['accept', 'reject', 'refine', 'edit-accept', 'ask'];

export const scenario: Scenario = {
  name: 'approval-payload',
  needs: fixtures('conformance-approval'),
  tests(host) {
    const waiting = async (): Promise<{ readonly runId: string; readonly events: readonly Json[] }> => {
      const { runId } = await suspendedRun(host, 'conformance-approval', 'waiting-approval');
      return { runId, events: await eventsOf(host, runId) };
    };

    it('speaks of edit-accept, never of edit', async () => {
      expect(JSON.stringify(await host.discovery())).not.toContain('"edit"');
    });

    it('requests with the closed shape of a suspension', async () => {
      const { events } = await waiting();
      const { payload } = events[placeOf(events, 'interrupt.requested', 'gate')];
      expect(Object.keys(payload).filter((key) => !REQUEST_KEYS.includes(key))).toEqual([]);
      expect(payload.kind).toBe('approval');
      expect(payload.key).toMatch(/^[^]{1,256}$/);
      if ('timeoutMs' in payload) expect(isWhole(payload.timeoutMs, 0)).toBe(true);
    });

    it('says what is to be approved, and how', async () => {
      const { events } = await waiting();
      const { data } = events[placeOf(events, 'interrupt.requested', 'gate')].payload;
      const definition = (await host.get('/v1/workflows/conformance-approval')).json;
      expect([data.artifactId, data.artifactType, data.title].map(isText)).toEqual([true, true, true]);
      expect(data.title).toBe(definition.nodes[0].config.title);
      expect(data.actions).toEqual(['accept', 'reject']);
      expect(new Set(data.actions).size).toBe(data.actions.length);
      const actions: readonly string[] = data.actions;
      expect(actions.filter((action) => !ACTIONS.includes(action))).toEqual([]);
    });

    it('suspends the node under the key of the request', async () => {
      const { events } = await waiting();
      const request = events[placeOf(events, 'interrupt.requested', 'gate')].payload;
      const { payload } = events[placeOf(events, 'node.suspended', 'gate')];
      expect(payload).toMatchObject({ nodeId: 'gate', kind: 'approval', key: request.key });
      expect(isText(payload.interruptId)).toBe(true);
    });

    it('gives each interrupt an id and a key of its own', async () => {
      const [one, other] = [await waiting(), await waiting()];
      const ids = [one, other].map(({ events }) =>
        String(events[placeOf(events, 'node.suspended')].payload.interruptId),
      );
      expect(ids[0]).not.toBe(ids[1]);
    });

    it('records who decided, and only known actions', async () => {
      const { runId } = await waiting();
      await resume(host, runId, 'gate', { action: 'accept', comment: 'Good.' });
      await waitForStatus(host, runId, 'completed');
      const events = await eventsOf(host, runId);
      const { payload } = events[placeOf(events, 'approval.received', 'gate')];
      expect(['accept', 'reject', 'refine', 'edit-accept', 'timeout']).toContain(payload.action);
      expect(isText(payload.decidedBy)).toBe(true);
    });

    it.each(['approved', 'rejected'])('takes the legacy decision %s for an action', async (decision) => {
      const { runId } = await waiting();
      expect((await resume(host, runId, 'gate', { decision })).status).toBe(200);
      await waitForStatus(host, runId, ['completed', 'failed']);
      const events = await eventsOf(host, runId);
      const action = decision === 'approved' ? 'accept' : 'reject';
      expect(events[placeOf(events, 'approval.received')].payload.action).toBe(action);
    });
  },
};
