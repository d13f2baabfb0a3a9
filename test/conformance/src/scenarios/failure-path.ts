// Host specification §3.3 (`error`), §4.1 (`run.failed`, `node.failed`), §10.2 (`conformance-failure`).
import { expectEndedBy, isText, ofType, placeOf, typesOf } from '../client/expectations.js';
import { runToEnd } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

export const scenario: Scenario = {
  name: 'failure-path',
  needs: fixtures('conformance-failure'),
  tests(host) {
    it('ends as failed and says why', async () => {
      const { snapshot } = await runToEnd(host, 'conformance-failure');
      expect(snapshot.status).toBe('failed');
      expect(isText(snapshot.error.code) && isText(snapshot.error.message)).toBe(true);
      const stray = Object.keys(snapshot.error).filter(
        (key) => !['code', 'message', 'details'].includes(key),
      );
      expect(stray).toEqual([]);
    });

    it('records the failure of the node, then of the run', async () => {
      const { snapshot, events } = await runToEnd(host, 'conformance-failure');
      const failed = placeOf(events, 'node.failed', 'fail');
      expect(events[failed].payload).toMatchObject({
        nodeId: 'fail',
        error: { code: expect.stringMatching(/./), message: expect.stringMatching(/./) },
      });
      expect(placeOf(events, 'node.started', 'fail')).toBeLessThan(failed);
      expect(failed).toBeLessThan(placeOf(events, 'run.failed'));
      expectEndedBy(events, 'run.failed');
      const { code, message } = snapshot.error;
      expect(events.at(-1).payload.error).toMatchObject({ code, message });
    });

    it('does not try again what may not be retried', async () => {
      const { events } = await runToEnd(host, 'conformance-failure');
      expect(ofType(events, 'node.started')).toHaveLength(1);
      expect(typesOf(events)).not.toContain('node.retried');
      expect(typesOf(events)).not.toContain('node.completed');
    });
  },
};
