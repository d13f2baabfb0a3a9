import type { INestApplicationContext } from '@nestjs/common';
import { EXTERNAL_WORKFLOW, isTerminalEventType, NODE_DISPATCHED, RUN_STARTED } from '@palimpsest/contracts';
import { waitUntil } from '@palimpsest/kernel/testing';
import type { RunKey } from '../orchestrator-ports.js';
import { APPENDED, CHILD_CANCELLED, DECIDED, TIMER_CLAIMED, TIMER_SET } from '../race-points.js';
import { expectSoundLog } from '../testing/expect-sound-log.js';
import { killedAt, meetingAt, unreachable } from '../testing/race-points.js';
import { TEST_HOSTS, type TestHost } from '../testing/test-hosts.js';
import type { WorkflowHarness } from '../testing/workflow-harness.js';
import { CLAIM_MS } from '../timers/timer-watch.js';
import { advanceRun } from './advance-run.js';

describe.each(TEST_HOSTS)('advancing runs %s', (_how, open) => {
  let host: TestHost;
  let harness: WorkflowHarness;
  let running: INestApplicationContext | undefined;

  beforeAll(async () => {
    host = await open();
    harness = host.harness();
    // Seeds the fixtures.
    await (await harness.orchestrator()).close();
  });
  afterEach(async () => {
    await running?.close();
    running = undefined;
  });
  afterAll(() => host.close());

  async function untilEnded(key: RunKey): Promise<void> {
    await waitUntil(async () => isTerminalEventType((await harness.events(key)).at(-1)?.type ?? ''));
    expectSoundLog(await harness.header(key), await harness.events(key));
  }

  const timerOf = async ({ runId }: RunKey) => {
    const query = 'SELECT claimed_until FROM orchestrator.timers WHERE run_id = $1';
    return (await host.database.pool.query<{ claimed_until: Date | null }>(query, [runId])).rows[0];
  };

  describe.each([DECIDED, APPENDED, TIMER_SET])('killed at %s', (point) => {
    it.each(['conformance-multi-node', 'conformance-failure'])('ends %s once', async (workflowId) => {
      const races = killedAt(point);
      running = await harness.orchestrator({ races });
      const key = await harness.start(workflowId);
      await untilEnded(key);
      expect(races.reached()).toBeGreaterThan(0);
      await waitUntil(async () => !(await timerOf(key)));
    });

    it.each([1, 2])('wakes a run that waits, at time %i', async (time) => {
      const races = killedAt(point, time);
      running = await harness.orchestrator({ races });
      const key = await harness.start('conformance-delay');
      await waitUntil(() => timerOf(key));
      harness.later(1000);
      await waitUntil(() => races.reached() >= time);
      await waitUntil(async () => {
        // A timer that died with its process is claimed anew when the claim is over.
        if ((await timerOf(key))?.claimed_until) harness.later(CLAIM_MS);
        return isTerminalEventType((await harness.events(key)).at(-1)?.type ?? '');
      });
      await untilEnded(key);
    });
  });

  it('killed with a claimed timer, fires it when the claim is over', async () => {
    const races = killedAt(TIMER_CLAIMED);
    running = await harness.orchestrator({ races });
    const key = await harness.start('conformance-delay');
    await waitUntil(() => timerOf(key));
    harness.later(1000);
    await waitUntil(() => races.reached() === 1);
    await running.close();
    running = await harness.orchestrator();
    expect((await timerOf(key))?.claimed_until).toBeInstanceOf(Date);
    expect((await harness.header(key))?.status).toBe('running');
    harness.later(CLAIM_MS);
    await untilEnded(key);
  });

  it('by two orchestrators that decided the same has one winner each time', async () => {
    const races = meetingAt(DECIDED, 2);
    const key = await harness.record('conformance-multi-node');
    await Promise.all([advanceRun(harness.ports(races), key), advanceRun(harness.ports(races), key)]);
    expect(await harness.events(key)).toHaveLength(8);
    await untilEnded(key);
  });

  it('gives way to an answer or a cancellation that came first', async () => {
    const key = await harness.record('conformance-cancellable');
    let cancelled = false;
    await advanceRun(
      harness.ports({
        reach: async (name) => {
          if (name !== DECIDED || cancelled) return;
          cancelled = true;
          await harness.cancelRun(key);
        },
      }),
      key,
    );
    await untilEnded(key);
    expect((await harness.header(key))?.status).toBe('cancelled');
    expect(await timerOf(key)).toBeUndefined();
  });

  it('leaves alone a run that has ended, and removes the timer that a slower one left', async () => {
    const key = await harness.record('conformance-noop');
    await advanceRun(harness.ports(), key);
    await harness.stores.timers.set({ ...key, head: 1, dueAt: harness.now });
    expect(await advanceRun(harness.ports(unreachable), key)).toBeUndefined();
    expect(await timerOf(key)).toBeUndefined();
  });

  it('leaves a run that a newer version started to an orchestrator of that version', async () => {
    const key = await harness.record('conformance-noop');
    const { head = -1, state } = (await harness.header(key)) ?? {};
    await harness.stores.eventLog.append({
      ...{ ...key, expectedHead: head, at: harness.now },
      events: [{ type: 'vendor.other', payload: {}, schemaVersion: 1 }],
      header: { state: { ...state, replayFlags: [1_000_000] } },
    });
    await expect(advanceRun(harness.ports(unreachable), key)).rejects.toMatchObject({
      code: 'unsupported_engine_version',
      retryable: true,
    });
    expect(await harness.header(key)).toMatchObject({ head: head + 1, status: 'pending' });
  });

  it("leaves alone runs that are not there, and those whose loop is the caller's", async () => {
    const [nowhere, external] = [
      { tenantId: 'acme', runId: 'nowhere' },
      { tenantId: 'acme', runId: 'external' },
    ];
    await harness.stores.eventLog.append({
      ...external,
      workflowId: EXTERNAL_WORKFLOW,
      expectedHead: 'no-run',
      events: [{ type: RUN_STARTED, payload: { workflowId: EXTERNAL_WORKFLOW }, schemaVersion: 1 }],
      at: harness.now,
      header: { status: 'running', state: {} },
    });
    for (const key of [nowhere, external]) {
      await harness.stores.timers.set({ ...key, head: 0, dueAt: harness.now });
      expect(await advanceRun(harness.ports(unreachable), key)).toBeUndefined();
      expect(await timerOf(key)).toBeUndefined();
    }
  });

  describe('a run with children that is cancelled', () => {
    async function parentOf(child: RunKey): Promise<RunKey> {
      const parent = await harness.record('conformance-cancellable');
      await advanceRun(harness.ports(), parent);
      const payload = {
        childRunId: child.runId,
        childWorkflowId: 'conformance-cancellable',
        childStatus: 'running',
      };
      await harness.note(parent, { type: NODE_DISPATCHED, payload, nodeId: 'wait' });
      expect(await harness.cancelRun({ ...parent, reason: 'enough' })).toMatchObject({
        status: 'cancelling',
      });
      return parent;
    }

    it('has its children cancelled first, also where the orchestrator dies in between', async () => {
      const child = await harness.record('conformance-cancellable');
      const parent = await parentOf(child);
      const seen: unknown[] = [];
      const races = killedAt(CHILD_CANCELLED);
      const watching = {
        ...harness.ports(races),
        childRuns: {
          startWorkflow: harness.startWorkflow.bind(harness),
          cancelRun: async (command: Parameters<WorkflowHarness['cancelRun']>[0]) => {
            seen.push((await harness.header(parent))?.status);
            return harness.cancelRun(command);
          },
        },
      };
      await expect(advanceRun(watching, parent)).rejects.toThrow('Killed');
      await advanceRun(watching, parent);
      expect(seen).toEqual(['cancelling', 'cancelling']);
      for (const key of [child, parent]) await untilEnded(key);
      expect((await harness.events(child)).at(-1)).toMatchObject({
        type: 'run.cancelled',
        payload: { reason: 'parent-cancelled', parentRunId: parent.runId },
      });
      expect((await harness.events(parent)).at(-1)).toMatchObject({
        type: 'run.cancelled',
        payload: { reason: 'enough' },
      });
    });

    it('does not wait for children that nobody knows', async () => {
      const parent = await parentOf({ tenantId: 'acme', runId: 'nobody' });
      await advanceRun(harness.ports(), parent);
      await untilEnded(parent);
    });

    it('waits for children whose own children have yet to end', async () => {
      const child = await harness.record('conformance-cancellable');
      const parent = await parentOf(child);
      let status: 'cancelling' | 'cancelled' = 'cancelling';
      const childRuns = {
        startWorkflow: harness.startWorkflow.bind(harness),
        cancelRun: () => Promise.resolve({ runId: child.runId, status }),
      };
      const dueAt = await advanceRun({ ...harness.ports(), childRuns }, parent);
      expect(dueAt?.getTime()).toBeGreaterThan(harness.now.getTime());
      expect((await harness.header(parent))?.status).toBe('cancelling');
      expect(await timerOf(parent)).toBeDefined();
      status = 'cancelled';
      await advanceRun({ ...harness.ports(), childRuns }, parent);
      await untilEnded(parent);
      expect(await timerOf(parent)).toBeUndefined();
    });
  });
});
