import type { INestApplicationContext } from '@nestjs/common';
import { STREAMS, type JsonObject, type JsonValue } from '@palimpsest/contracts';
import { waitUntil } from '@palimpsest/kernel/testing';
import type { OrchestratorModuleOptions } from './orchestrator.module.js';
import type { RunKey } from './orchestrator-ports.js';
import { DECIDED } from './race-points.js';
import { entryOf } from './testing/definitions.js';
import { expectSoundLog } from './testing/expect-sound-log.js';
import { meetingAt } from './testing/race-points.js';
import { TEST_HOSTS, type TestHost } from './testing/test-hosts.js';
import type { WorkflowHarness } from './testing/workflow-harness.js';

describe.each(TEST_HOSTS)('the orchestrator %s', (_how, open) => {
  let host: TestHost;
  let harness: WorkflowHarness;
  let processes: INestApplicationContext[];

  beforeAll(async () => {
    host = await open();
    harness = host.harness();
  });
  beforeEach(() => {
    processes = [];
  });
  afterEach(() => stopAll());
  afterAll(() => host.close());

  async function startProcess(changes: Partial<OrchestratorModuleOptions> = {}): Promise<void> {
    processes.push(await harness.orchestrator(changes));
  }

  async function stopAll(): Promise<void> {
    await Promise.all(processes.splice(0).map((each) => each.close()));
  }

  async function untilStatus(key: RunKey, status: string): Promise<void> {
    const reached = async () => (await harness.header(key))?.status === status;
    await waitUntil(reached, { what: `${key.runId} is ${status}` });
  }

  /** What a run's log says once it has this status; it is sound, and no timer is left of a run that has ended. */
  async function typesOnce(key: RunKey, status: string): Promise<readonly string[]> {
    await untilStatus(key, status);
    const events = await harness.events(key);
    expectSoundLog(await harness.header(key), events);
    await waitUntil(async () => (await timersOf(key)) === 0);
    return events.map(({ type }) => type);
  }

  async function timersOf({ runId }: RunKey): Promise<number> {
    const query = 'SELECT 1 FROM orchestrator.timers WHERE run_id = $1';
    return (await host.database.pool.query(query, [runId])).rowCount ?? 0;
  }

  const NODE = ['node.started', 'node.completed'];

  it.each<[string, JsonObject]>([
    ['conformance-noop', {}],
    ['conformance-version-fold', {}],
    ['conformance-configurable-schema', {}],
    ['conformance-idempotent', { nonce: 'n-1' }],
  ])('executes %s', async (workflowId, inputs) => {
    await startProcess();
    const key = await harness.start(workflowId, { inputs });
    expect(await typesOnce(key, 'completed')).toEqual(['run.started', ...NODE, 'run.completed']);
  });

  it('executes conformance-identity, and keeps the variables', async () => {
    await startProcess();
    const payload = { deep: [1, { text: 'é' }, null] };
    const key = await harness.start('conformance-identity', { inputs: { payload } });
    await typesOnce(key, 'completed');
    expect((await harness.header(key))?.state).toMatchObject({ variables: { payload } });
  });

  it('executes conformance-multi-node in order', async () => {
    await startProcess();
    const key = await harness.start('conformance-multi-node');
    expect(await typesOnce(key, 'completed')).toEqual([
      'run.started',
      ...NODE,
      ...NODE,
      ...NODE,
      'run.completed',
    ]);
    const nodes = (await harness.events(key)).map(({ nodeId }) => nodeId).filter(Boolean);
    expect(nodes).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
  });

  it('fails conformance-failure', async () => {
    await startProcess();
    const key = await harness.start('conformance-failure');
    expect(await typesOnce(key, 'failed')).toEqual([
      'run.started',
      'node.started',
      'node.failed',
      'run.failed',
    ]);
  });

  it('lets conformance-delay wait for its time', async () => {
    await startProcess();
    const key = await harness.start('conformance-delay');
    await untilStatus(key, 'running');
    await waitUntil(async () => (await timersOf(key)) === 1);
    harness.later(999);
    expect(await harness.events(key)).toHaveLength(2);
    harness.later(1);
    expect(await typesOnce(key, 'completed')).toEqual(['run.started', ...NODE, 'run.completed']);
  });

  it('leaves conformance-cancellable to who cancels it', async () => {
    await startProcess();
    const key = await harness.start('conformance-cancellable');
    await untilStatus(key, 'running');
    await harness.cancelRun(key);
    await harness.job(key);
    expect(await typesOnce(key, 'cancelled')).toEqual([
      'run.started',
      'node.started',
      'node.cancelled',
      'run.cancelled',
    ]);
  });

  it.each<[string, string, string, JsonValue]>([
    ['conformance-approval', 'waiting-approval', 'gate', { action: 'accept' }],
    ['conformance-clarification', 'waiting-input', 'ask', { answers: { q1: 'blue' } }],
    [
      'conformance-interrupt-external-event',
      'waiting-external',
      'wait-for-external',
      {
        eventType: 'conformance.external.completed',
        correlation: { orderId: 'fixture-order-1', status: 'completed' },
      },
    ],
  ])('suspends %s, and goes on with the answer', async (workflowId, waiting, nodeId, answer) => {
    await startProcess();
    const key = await harness.start(workflowId);
    await untilStatus(key, waiting);
    await harness.resolve(key, nodeId, answer);
    await harness.job(key);
    const types = await typesOnce(key, 'completed');
    expect(types).toEqual(
      expect.arrayContaining(['interrupt.requested', 'node.suspended', 'interrupt.resolved', 'node.resumed']),
    );
  });

  it('ends conformance-cap-breach at its limit', async () => {
    await startProcess();
    const key = await harness.start('conformance-cap-breach', { configurable: { recursionLimit: 3 } });
    const types = await typesOnce(key, 'failed');
    expect(types.filter((type) => type === 'node.started')).toHaveLength(3);
    expect(types.slice(-2)).toEqual(['cap.breached', 'run.failed']);
  });

  it('ends conformance-run-duration-breach when its time is over', async () => {
    await startProcess();
    const configurable = { runTimeoutMs: 1000 };
    const key = await harness.start('conformance-run-duration-breach', { configurable });
    await waitUntil(async () => (await timersOf(key)) === 1);
    harness.later(1001);
    const types = await typesOnce(key, 'failed');
    expect(types.filter((type) => type === 'cap.breached')).toHaveLength(1);
  });

  it('goes on after a restart with timers that were set before it', async () => {
    await startProcess();
    const keys = [await harness.start('conformance-delay'), await harness.start('conformance-delay')];
    for (const key of keys) await waitUntil(async () => (await timersOf(key)) === 1);
    await stopAll();
    harness.later(1000);
    await startProcess();
    for (const key of keys)
      expect(await typesOnce(key, 'completed')).toEqual(['run.started', ...NODE, 'run.completed']);
  });

  it('stays with the definition that the run was started with', async () => {
    await startProcess();
    const delay = await harness.stores.definitions.inForce('acme', 'conformance-delay');
    const key = await harness.start('conformance-delay');
    await waitUntil(async () => (await timersOf(key)) === 1);
    await harness.stores.definitions.put(
      entryOf('conformance-delay', 'other', { fixture: true }),
      harness.now,
    );
    await stopAll();
    harness.later(1000);
    await startProcess();
    await typesOnce(key, 'completed');
    expect(await harness.stores.definitions.inForce('acme', 'conformance-delay')).toEqual(delay);
    expect((await harness.events(key))[1]).toMatchObject({ nodeId: 'wait' });
  });

  it('runs two hundred at a time, in two processes, each to its one end', async () => {
    await startProcess();
    await startProcess();
    const workflows = [
      'conformance-noop',
      'conformance-multi-node',
      'conformance-delay',
      'conformance-failure',
    ];
    const ids = Array.from({ length: 200 }, (_, place) => workflows[place % workflows.length] ?? '');
    const keys = await Promise.all(ids.map((id) => harness.start(id)));
    await waitUntil(async () => (await Promise.all(keys.map(timersOf))).filter(Boolean).length === 50);
    harness.later(1000);
    for (const [place, key] of keys.entries())
      await typesOnce(key, ids[place] === 'conformance-failure' ? 'failed' : 'completed');
  });

  it('does nothing for a job that comes again, or of a run that is not there', async () => {
    await startProcess();
    const key = await harness.start('conformance-noop');
    const types = await typesOnce(key, 'completed');
    await harness.job(key);
    await harness.job({ tenantId: 'acme', runId: 'nowhere' });
    const after = await harness.start('conformance-noop');
    await typesOnce(after, 'completed');
    await stopAll();
    expect((await harness.events(key)).map(({ type }) => type)).toEqual(types);
    expect(await host.bus.deadLetters(STREAMS.advance, 10)).toEqual([]);
  });

  it('shows what it cannot execute: a dead letter after the retries, for the run of an unknown version', async () => {
    await startProcess();
    const key = await harness.start('conformance-noop', { workflowDigest: 'f'.repeat(64) });
    await harness.job(key, { tenantId: 'acme' });
    const letters = await waitUntil(async () => {
      const found = await host.bus.deadLetters(STREAMS.advance, 10);
      return found.length === 2 && found;
    });
    expect(letters).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'not_found', attempts: 3, body: key }),
        expect.objectContaining({ code: 'validation_error', attempts: 1 }),
      ]),
    );
    expect(await harness.header(key)).toMatchObject({ status: 'pending', head: 0 });
  });

  it('goes on with other runs while one takes long', async () => {
    const startJobTimer = (_milliseconds: number, act: () => void) => {
      act();
      return () => undefined;
    };
    // Neither gets any further before the other is at work.
    await startProcess({ concurrency: 1, races: meetingAt(DECIDED, 2), startJobTimer });
    const runs = [await harness.start('conformance-noop'), await harness.start('conformance-noop')];
    for (const key of runs) await typesOnce(key, 'completed');
  });

  it('has one winner where an answer races a cancellation, and one end', async () => {
    await startProcess();
    for (let round = 0; round < 10; round += 1) {
      const key = await harness.start('conformance-approval');
      await untilStatus(key, 'waiting-approval');
      const [answered] = await Promise.allSettled([
        harness.resolve(key, 'gate', { action: 'accept' }),
        harness.cancelRun(key),
      ]);
      await harness.job(key);
      const ended = await waitUntil(async () => {
        const status = (await harness.header(key))?.status ?? '';
        return ['completed', 'cancelled'].includes(status) && status;
      });
      const types = await typesOnce(key, ended);
      expect(types.includes('node.resumed')).toBe(answered.status === 'fulfilled');
    }
  });
});
