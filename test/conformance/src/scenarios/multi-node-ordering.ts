// Host specification §10.2 (`conformance-multi-node`), §4.1 (order).
import { expectEndedBy, ofType, placeOf } from '../client/expectations.js';
import { runToEnd } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

export const scenario: Scenario = {
  name: 'multi-node-ordering',
  needs: fixtures('conformance-multi-node'),
  tests(host) {
    it('runs a, b and c one after the other, each once', async () => {
      const { snapshot, events } = await runToEnd(host, 'conformance-multi-node');
      expect(snapshot.status).toBe('completed');
      expect(ofType(events, 'node.started').map(({ nodeId }) => nodeId as unknown)).toEqual(['a', 'b', 'c']);
      expect(ofType(events, 'node.completed').map(({ nodeId }) => nodeId as unknown)).toEqual([
        'a',
        'b',
        'c',
      ]);
      const places = ['a', 'b', 'c'].flatMap((nodeId) => [
        placeOf(events, 'node.started', nodeId),
        placeOf(events, 'node.completed', nodeId),
      ]);
      expect(places).toEqual([...places].sort((one, other) => one - other));
      expectEndedBy(events, 'run.completed');
    });

    it('names the node in payload and envelope alike', async () => {
      const { events } = await runToEnd(host, 'conformance-multi-node');
      const ofNodes = events.filter(({ type }) => String(type).startsWith('node.'));
      expect(ofNodes.filter(({ nodeId, payload }) => nodeId !== payload.nodeId)).toEqual([]);
    });
  },
};
