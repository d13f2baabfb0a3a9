import { migrationSets } from '@palimpsest/app-migrate';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { isTerminalEventType, type RunEvent } from '@palimpsest/contracts';
import { noRacePoints } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { COMMAND_DECIDED, startReplica, type Replica } from './race-replica.js';
import { StopAt } from './stop-at.js';

type Reply = { readonly status: number; readonly json: Record<string, unknown> };

const accept = { resumeValue: { action: 'accept' } };

/** Two replicas over one database. The first executes the runs, and can be stopped at named points. */
describe('who races for a run', () => {
  const races = new StopAt();
  let database: TestDatabase;
  let first: Replica;
  let second: Replica;
  let key: string;
  beforeAll(async () => {
    database = await createTestDatabase(migrationSets, { maxConnections: 20 });
    first = await startReplica(database.pool, { races });
    second = await startReplica(database.pool, { races: noRacePoints, executor: first });
    key = await first.newKey();
  });
  afterAll(async () => {
    await second.close();
    await first.close();
    await database.drop();
  });

  async function ask(at: Replica, method: 'GET' | 'POST', url: string, more: object = {}): Promise<Reply> {
    const { body, headers = {} } = more as { body?: object; headers?: Record<string, string> };
    const answer = await at.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body && { payload: body }),
    });
    return { status: answer.statusCode, json: answer.json() };
  }

  const start = async (workflowId: string): Promise<string> => {
    const { status, json } = await ask(second, 'POST', '/v1/runs', { body: { workflowId } });
    expect(status).toBe(201);
    return String(json['runId']);
  };
  const statusOf = async (runId: string): Promise<unknown> =>
    (await ask(second, 'GET', `/v1/runs/${runId}`)).json['status'];
  const reaches = (runId: string, status: string): Promise<true> =>
    waitUntil(async () => (await statusOf(runId)) === status, { what: `${runId} is ${status}` });
  const cancel = (at: Replica, runId: string): Promise<Reply> =>
    ask(at, 'POST', `/v1/runs/${runId}/cancel`, { body: { reason: 'race' } });
  const resolve = (at: Replica, runId: string): Promise<Reply> =>
    ask(at, 'POST', `/v1/runs/${runId}/interrupts/gate`, { body: accept });

  /** It ends, once; its log is dense, and nothing comes after its end. */
  async function converged(runId: string): Promise<{ readonly status: string; readonly types: string[] }> {
    const ended = ['completed', 'failed', 'cancelled'];
    const status = await waitUntil(async () => {
      const now = String(await statusOf(runId));
      return ended.includes(now) && now;
    });
    const events = (await ask(second, 'GET', `/v1/runs/${runId}/events`)).json['events'] as RunEvent[];
    const types = events.map(({ type }) => type);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
    expect(types.filter(isTerminalEventType)).toEqual([`run.${status}`]);
    expect(types.at(-1)).toBe(`run.${status}`);
    return { status, types };
  }

  const waitingRun = async (): Promise<string> => {
    const runId = await start('conformance-approval');
    await reaches(runId, 'waiting-approval');
    return runId;
  };

  it('an answer that was decided when the run was cancelled comes too late', async () => {
    const runId = await waitingRun();
    const stopped = races.next(`${COMMAND_DECIDED} interrupt.resolved`);
    const answering = resolve(first, runId);
    await stopped;
    expect(await cancel(second, runId)).toMatchObject({ status: 200, json: { runId, status: 'cancelled' } });
    races.letGo();
    expect(await answering).toMatchObject({ status: 422, json: { error: 'interrupt_cancelled' } });
    const { status, types } = await converged(runId);
    expect(status).toBe('cancelled');
    expect(types).not.toContain('interrupt.resolved');
  });

  it('a cancellation that was decided when the answer came ends what the answer began, or finds it ended', async () => {
    const runId = await waitingRun();
    const stopped = races.next(`${COMMAND_DECIDED} node.cancelled`);
    const cancelling = cancel(first, runId);
    await stopped;
    expect(await resolve(second, runId)).toMatchObject({ status: 200 });
    await reaches(runId, 'completed');
    races.letGo();
    expect(await cancelling).toMatchObject({ status: 200, json: { runId, status: 'completed' } });
    expect((await converged(runId)).status).toBe('completed');
  });

  it('of two answers one counts', async () => {
    const runId = await waitingRun();
    const stopped = races.next(`${COMMAND_DECIDED} interrupt.resolved`);
    const late = resolve(first, runId);
    await stopped;
    expect((await resolve(second, runId)).status).toBe(200);
    races.letGo();
    expect(await late).toMatchObject({ status: 409, json: { error: 'interrupt_already_resolved' } });
    const { types } = await converged(runId);
    expect(types.filter((type) => type === 'interrupt.resolved')).toHaveLength(1);
  });

  it.each([1, 2, 3])('answers and cancellations in any order leave one end, round %d', async () => {
    const runIds = await Promise.all(Array.from({ length: 6 }, waitingRun));
    await Promise.all(
      runIds.map(async (runId, index) => {
        const [one, other] = index % 2 === 0 ? [first, second] : [second, first];
        const [answered, cancelled] = await Promise.all([resolve(one, runId), cancel(other, runId)]);
        const { status, types } = await converged(runId);
        expect(cancelled.status).toBe(200);
        expect([200, 409, 422]).toContain(answered.status);
        expect(types.includes('interrupt.resolved')).toBe(answered.status === 200);
        if (answered.status !== 200) expect(status).toBe('cancelled');
      }),
    );
  });

  it.each(['orchestrator.decided', 'orchestrator.appended', 'orchestrator.timer-set'])(
    'a run that is cancelled while it is executed ends there, at %s',
    async (point) => {
      const stopped = races.next(point);
      const runId = await start('conformance-cancellable');
      await stopped;
      expect((await cancel(second, runId)).status).toBe(200);
      races.letGo();
      const { status, types } = await converged(runId);
      expect(status).toBe('cancelled');
      expect(types.filter((type) => type === 'node.started').length).toBeLessThanOrEqual(1);
    },
  );

  it('two creates with one key make one run', async () => {
    const stopped = races.next('gateway.idempotency.key-claimed');
    const request = { body: { workflowId: 'conformance-noop' }, headers: { 'idempotency-key': 'one-run' } };
    const one = ask(first, 'POST', '/v1/runs', request);
    await stopped;
    expect(await ask(second, 'POST', '/v1/runs', request)).toMatchObject({
      status: 409,
      json: { error: 'idempotency_in_flight' },
    });
    races.letGo();
    const created = await one;
    expect(created.status).toBe(201);
    expect(await ask(second, 'POST', '/v1/runs', request)).toEqual(created);
    expect((await converged(String(created.json['runId']))).status).toBe('completed');
    const { json } = await ask(second, 'GET', '/v1/runs?workflowId=conformance-noop');
    expect(json['runs']).toHaveLength(1);
  });

  it('fifty creates with one key at once make one run, whichever replica they meet', async () => {
    const request = {
      body: { workflowId: 'conformance-multi-node' },
      headers: { 'idempotency-key': 'fifty' },
    };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        ask(index % 2 === 0 ? first : second, 'POST', '/v1/runs', request),
      ),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(new Set(created.map(({ json }) => json['runId'])).size).toBe(1);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const { json } = await ask(second, 'GET', '/v1/runs?workflowId=conformance-multi-node');
    expect(json['runs']).toHaveLength(1);
  });
});
