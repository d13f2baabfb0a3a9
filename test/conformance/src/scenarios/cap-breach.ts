// Host specification §5.7, §4.6 (`cap.breached`), §0.1 (breach on more, never on as many).
import { expectEndedBy, isText, ofType, placeOf } from '../client/expectations.js';
import { runToEnd } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-cap-breach';

export const scenario: Scenario = {
  name: 'cap-breach',
  needs: fixtures(WORKFLOW),
  tests(host) {
    it('fails the run at the node above the limit, and records the breach before', async () => {
      const { snapshot, events } = await runToEnd(host, WORKFLOW, { configurable: { recursionLimit: 3 } });
      expect(snapshot).toMatchObject({ status: 'failed', error: { code: 'recursion_limit_exceeded' } });
      expect(ofType(events, 'node.started')).toHaveLength(3);
      const breaches = ofType(events, 'cap.breached');
      expect(breaches.map(({ payload }) => payload as unknown)).toEqual([
        expect.objectContaining({ kind: 'node-executions', limit: 3, observed: 4 }),
      ]);
      const { nodeId } = breaches[0].payload;
      expect(isText(nodeId)).toBe(true);
      expect(ofType(events, 'node.started').map((event) => event.nodeId as unknown)).not.toContain(nodeId);
      expect(placeOf(events, 'cap.breached')).toBeLessThan(placeOf(events, 'run.failed'));
      expectEndedBy(events, 'run.failed');
      expect(events.at(-1).payload.error.code).toBe('recursion_limit_exceeded');
    });

    it.each([6, 7])('lets six nodes run under a limit of %i', async (recursionLimit) => {
      const { snapshot, events } = await runToEnd(host, WORKFLOW, { configurable: { recursionLimit } });
      expect(snapshot.status).toBe('completed');
      expect(ofType(events, 'cap.breached')).toEqual([]);
      expect(ofType(events, 'node.started')).toHaveLength(6);
    });

    it('breaches at five, by one', async () => {
      const { events } = await runToEnd(host, WORKFLOW, { configurable: { recursionLimit: 5 } });
      expect(ofType(events, 'cap.breached')[0].payload).toMatchObject({ limit: 5, observed: 6 });
    });
  },
};
