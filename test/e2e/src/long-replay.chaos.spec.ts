import { waitUntil } from '@palimpsest/kernel/testing';
import type { ServiceName } from './cluster.js';
import { startFaultBench, type FaultBench } from './fault-bench.js';

const MESSAGES_A_REQUEST = 1000;
const REQUESTS = 10;
const LONG = { withinMs: 90_000 };

type ForkRow = { readonly run_id: string; readonly head: number };

describe('a replay of ten thousand events', () => {
  let bench: FaultBench;
  let source: string;
  let last: number;
  const known: string[] = [];
  beforeAll(async () => {
    bench = await startFaultBench();
    ({ runId: source } = await bench.api.ok(
      bench.api.post('/v1/runs', { workflowId: 'palimpsest-external' }),
    ));
    const turns = `/v1/runs/${source}/turns`;
    const hello = { messages: [{ role: 'user', content: 'There are parcels to sort.' }] };
    await bench.api.ok(bench.api.post(turns, hello));
    await bench.api.ok(bench.api.post(`/v1/runs/${source}/windows`));
    for (let request = 0; request < REQUESTS; request += 1) {
      const messages = Array.from({ length: MESSAGES_A_REQUEST }, (_, place) => ({
        role: 'user',
        content: `Parcel ${request}.${place}`,
      }));
      await bench.api.ok(bench.api.post(turns, { messages }));
    }
    ({ lastSequence: last } = await bench.api.ok(bench.api.post(`/v1/runs/${source}/finish`)));
  });
  afterAll(() => bench?.stop());

  /** Forks that no test before made. */
  async function newForks(): Promise<readonly ForkRow[]> {
    const { rows } = await bench.cluster.pool.query<ForkRow>(
      'SELECT run_id, head FROM run_log.runs WHERE origin_run_id = $1 AND run_id <> ALL ($2)',
      [source, known],
    );
    return rows;
  }

  async function openJobs(): Promise<number> {
    const { rows } = await bench.cluster.pool.query<{ open: number }>(
      'SELECT count(*)::int AS open FROM replay_coordinator.fork_jobs WHERE closed_at IS NULL',
    );
    return rows[0]?.open ?? -1;
  }

  const fork = (key: string) => bench.api.post(`/v1/runs/${source}:fork`, { mode: 'replay' }, key);

  it.each<[string, ServiceName, number]>([
    ['the coordinator, before it answers', 'replay-coordinator', 0],
    ['the coordinator, behind its answer', 'replay-coordinator', 5000],
    ['the run log', 'run-log', 0],
    ['the gateway', 'gateway', 0],
  ])('is one and whole when %s is killed in the middle of it', async (name, service, events) => {
    // who is killed may never answer: the same request is sent again below
    let refusal: unknown;
    const key = name.replaceAll(/\W+/g, '-');
    const first = fork(key).catch(() => undefined);
    void first.then((answer) => {
      if (answer && answer.status !== 201) refusal = answer.text;
    });
    const isUnderWay = async () => (await newForks()).some(({ head }) => head >= events);
    await waitUntil(async () => refusal !== undefined || (await isUnderWay()), LONG);
    expect(refusal).toBeUndefined();
    await bench.cluster.kill(service, 'SIGKILL');
    await bench.cluster.add(service);
    const { answer } = await bench.api.persistently(() => fork(key));
    expect(answer.status).toBe(201);
    const { runId } = answer.json;
    await waitUntil(async () => (await openJobs()) === 0, LONG);
    expect(await newForks()).toEqual([{ run_id: runId, head: last }]);
    const early = await first;
    if (early?.status === 201) expect(early.json.runId).toBe(runId);
    expect(await bench.api.ok(bench.api.get(`/v1/runs/${runId}/verification`))).toMatchObject({
      ok: true,
      windowsChecked: 1,
      summarizerCalls: 0,
      comparedWith: { runId: source, windows: 1 },
    });
    known.push(runId);
  });
});
