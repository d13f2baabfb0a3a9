// Host specification §5.1 (CO-1), §5.2, §5.3 (causation), §3.3 (`runOrchestrator`).
import { expectEndedBy, ofType, placeOf } from '../client/expectations.js';
import { childrenOf, decisionsOf, expectTurns, phasesOf } from '../client/loops.js';
import { runToEnd } from '../client/runs.js';
import { agents, all, fixtures, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-orchestrator-dispatch';
const AGENT = 'core.conformance.supervisor';

export const scenario: Scenario = {
  name: 'orchestrator-dispatch',
  needs: all(fixtures(WORKFLOW, 'conformance-noop'), agents('orchestrator', 'dispatch')),
  tests(host) {
    it('decides, hands off, and decides again until it terminates', async () => {
      const { snapshot, events } = await runToEnd(host, WORKFLOW);
      expect(snapshot.status).toBe('completed');
      expectEndedBy(events, 'run.completed');
      expectTurns(events, 2);
      expect(decisionsOf(events)).toEqual([
        {
          agentId: AGENT,
          iteration: 1,
          decision: { kind: 'next-worker', nextWorkerIds: ['conformance-noop'] },
        },
        { agentId: AGENT, iteration: 2, decision: { kind: 'terminate', reason: 'goal-reached' } },
      ]);
    });

    it('records the decision before anything comes of it', async () => {
      const { events } = await runToEnd(host, WORKFLOW);
      const decided = events[placeOf(events, 'runOrchestrator.decided')];
      expect(placeOf(events, 'runOrchestrator.decided')).toBeLessThan(
        placeOf(events, 'core.workflowChain.event'),
      );
      expect(phasesOf(events)).toEqual(['dispatch.began', 'dispatch.succeeded', 'child.completed']);
      const ofDispatch = [
        ...ofType(events, 'node.dispatched'),
        ...ofType(events, 'node.completed').filter(({ nodeId }) => nodeId === 'dispatch'),
      ];
      expect(ofDispatch.length).toBeGreaterThanOrEqual(2);
      expect(ofDispatch.filter(({ causationId }) => causationId !== decided.eventId)).toEqual([]);
    });

    it('starts a run of its own for the worker, which can be read', async () => {
      const { events } = await runToEnd(host, WORKFLOW);
      const [child, ...others] = await childrenOf(host, events);
      expect(others).toEqual([]);
      expect(child).toMatchObject({ workflowId: 'conformance-noop', status: 'completed' });
      const completed = ofType(events, 'node.completed').find(({ nodeId }) => nodeId === 'dispatch');
      expect(completed?.payload.outputs).toEqual({ childRunId: child.runId, childStatus: 'completed' });
    });

    it('names who decides in the snapshot', async () => {
      const { snapshot } = await runToEnd(host, WORKFLOW);
      expect(snapshot.runOrchestrator).toEqual({ agentId: AGENT, modelClass: 'reasoning' });
    });

    it('ends where it may take no more turns', async () => {
      const { snapshot, events } = await runToEnd(host, WORKFLOW, { configurable: { maxLoopIterations: 1 } });
      expect(snapshot).toMatchObject({ status: 'failed', error: { code: 'loop_limit_exceeded' } });
      expect(ofType(events, 'cap.breached').map(({ payload }) => payload as unknown)).toEqual([
        expect.objectContaining({ kind: 'loop-iterations', limit: 1, observed: 2 }),
      ]);
      expectTurns(events, 1);
    });
  },
};
