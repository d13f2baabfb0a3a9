// Host specification §3.1, §3.3, §4.1, §10.2.
import { expectEndedBy, expectMoment, isText, placeOf, RUN_STATUSES } from '../client/expectations.js';
import { create, pathOf, runToEnd, startRun, waitForEnd, waitForStatus } from '../client/runs.js';
import { scaled } from '../client/deadlines.js';
import { fixtures, type Scenario } from '../scenario.js';

export const scenario: Scenario = {
  name: 'runs-lifecycle',
  needs: fixtures('conformance-noop', 'conformance-delay'),
  tests(host) {
    it('creates a run and says where it is', async () => {
      const { status, json } = await create(host, 'conformance-noop');
      expect(status).toBe(201);
      expect(json.runId).toMatch(/^[^]{1,128}$/);
      expect(RUN_STATUSES).toContain(json.status);
      expect(json.eventsUrl).toBe(pathOf(json.runId, '/events'));
      expect(json.statusUrl).toBe(pathOf(json.runId));
    });

    it('gives every run an id of its own', async () => {
      expect(await startRun(host, 'conformance-noop')).not.toBe(await startRun(host, 'conformance-noop'));
    });

    it('completes the noop fixture within five seconds', async () => {
      const runId = await startRun(host, 'conformance-noop');
      const snapshot = await waitForStatus(host, runId, 'completed', scaled(5000));
      expect(snapshot).toMatchObject({ runId, workflowId: 'conformance-noop', status: 'completed' });
      expectMoment(snapshot.startedAt);
      expectMoment(snapshot.completedAt);
      expect(Date.parse(snapshot.completedAt)).toBeGreaterThanOrEqual(Date.parse(snapshot.startedAt));
      expect(snapshot).not.toHaveProperty('error');
    });

    it('records the noop run in the order of its life', async () => {
      const { events } = await runToEnd(host, 'conformance-noop');
      expect(events[0]).toMatchObject({ type: 'run.started', payload: { workflowId: 'conformance-noop' } });
      const started = placeOf(events, 'node.started', 'noop');
      expect(events[started].payload).toMatchObject({ nodeId: 'noop', typeId: 'core.noop' });
      const completed = placeOf(events, 'node.completed', 'noop');
      expect(events[completed].payload).toMatchObject({ nodeId: 'noop' });
      expect(started).toBeLessThan(completed);
      expectEndedBy(events, 'run.completed');
    });

    it('starts the delay fixture without inputs, is seen running, and completes it', async () => {
      const runId = await startRun(host, 'conformance-delay');
      const running = await waitForStatus(host, runId, 'running', scaled(5000));
      expect(running).not.toHaveProperty('completedAt');
      expect((await waitForEnd(host, runId)).status).toBe('completed');
    });

    it('echoes what the run was given', async () => {
      const given = { tags: ['conformance', 'é'], metadata: { trace: 'm-1', nested: { n: 1 } } };
      const { status, json } = await host.post('/v1/runs', { workflowId: 'conformance-noop', ...given });
      expect(status).toBe(201);
      const snapshot = await waitForEnd(host, json.runId);
      expect(snapshot).toMatchObject(given);
    });

    it('says the same of an ended run each time it is asked', async () => {
      const { runId, snapshot } = await runToEnd(host, 'conformance-noop');
      expect((await host.get(pathOf(runId))).json).toEqual(snapshot);
    });

    it('shows variables and owner in their shapes', async () => {
      const { snapshot } = await runToEnd(host, 'conformance-delay', { inputs: { delayMs: 0 } });
      expect(snapshot.variables).toMatchObject({ delayMs: 0 });
      if (snapshot.owner !== undefined) expect(isText(snapshot.owner.tenant)).toBe(true);
    });
  },
};
