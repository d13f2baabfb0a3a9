// Host specification §5.7 (RFC 0058), §3.2, §4.6.
import { expectEndedBy, expectRefusal, isWhole, ofType, placeOf } from '../client/expectations.js';
import { create, runToEnd } from '../client/runs.js';
import { fixtures, type Scenario } from '../scenario.js';

const WORKFLOW = 'conformance-run-duration-breach';
const BOUNDS = ['runTimeoutMs', 'recursionLimit', 'maxLoopIterations'];
const BAD_VALUES = [0, -1, 1.5, '10', null, true];

export const scenario: Scenario = {
  name: 'run-execution-bounds',
  needs(discovery, host) {
    if (discovery['limits']?.maxRunDurationMs === undefined)
      return 'discovery has no limits.maxRunDurationMs';
    return fixtures(WORKFLOW, 'conformance-noop')(discovery, host);
  },
  tests(host) {
    it('advertises bounds in their ranges', async () => {
      const { limits } = await host.discovery();
      expect(isWhole(limits.maxRunDurationMs, 1000)).toBe(true);
      expect(isWhole(limits.maxNodeExecutions ?? 1, 1)).toBe(true);
      expect(isWhole(limits.maxLoopIterations ?? 1, 1)).toBe(true);
    });

    it.each(BOUNDS.flatMap((bound) => BAD_VALUES.map((value) => [bound, value] as const)))(
      'refuses %s %j when the run is created',
      async (bound, value) => {
        const answer = await create(host, 'conformance-noop', { configurable: { [bound]: value } });
        expectRefusal(answer, 400, 'validation_error');
      },
    );

    it('takes a bound above its own, and keeps its own', async () => {
      const configurable = { recursionLimit: 1_000_000_000, runTimeoutMs: 1_000_000_000 };
      expect((await runToEnd(host, 'conformance-noop', { configurable })).snapshot.status).toBe('completed');
    });

    it('fails a run that takes too long, and records the breach before', async () => {
      const { snapshot, events } = await runToEnd(host, WORKFLOW, { configurable: { runTimeoutMs: 1000 } });
      expect(snapshot).toMatchObject({ status: 'failed', error: { code: 'run_timeout' } });
      expect(typeof snapshot.error.details?.elapsedMs).toBe('number');
      const breaches = ofType(events, 'cap.breached');
      expect(breaches).toHaveLength(1);
      expect(breaches[0].payload).toMatchObject({ kind: 'run-duration', limit: 1000 });
      expect(breaches[0].payload.observed).toBeGreaterThan(1000);
      expect(breaches[0].payload).not.toHaveProperty('nodeId');
      expect(placeOf(events, 'cap.breached')).toBeLessThan(placeOf(events, 'run.failed'));
      expectEndedBy(events, 'run.failed');
      expect(events.at(-1).payload.error.code).toBe('run_timeout');
    });
  },
};
