import { connectNatsBus } from '@palimpsest/adapter-nats';
import { PostgresEventLog } from '@palimpsest/adapter-postgres';
import { eventIdOf, STREAMS, summarizeSubject, type JsonObject } from '@palimpsest/contracts';
import { silentLogger } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import type { Answer } from './api-client.js';
import { relayedEventIds } from './bus-tap.js';
import { answersReady, SERVICES, type ServiceName } from './cluster.js';
import { rowsHolding, summaryJobs } from './database-search.js';
import { startAllInOne, type AllInOneDeployment } from './deployment.js';
import { EventStreamClient } from './event-stream.js';
import { HASTY, startFaultBench, type FaultBench } from './fault-bench.js';
import { HalfSentRequest } from './half-sent-request.js';
import { allWindowBytes, inspectRun } from './run-inspection.js';
import { Traffic, TRAFFIC_MARKER, type RequestKind, type WrittenRun } from './traffic.js';

/** What a service is in the middle of when it is killed. */
const AT_WORK: Readonly<Record<ServiceName, RequestKind>> = {
  'artifact-store': 'turns',
  'run-log': 'turns',
  'transcript-assembler': 'windows',
  'replay-coordinator': 'forks',
  'lineage-registry': 'turns',
  'summarizer-worker': 'windows',
  orchestrator: 'turns',
  gateway: 'turns',
};

const LAST_WORDS = { messages: [{ role: 'user', content: 'The last words.' }] };

type Request = readonly [method: string, path: string];

/** Requests on a run with windows that need the service. */
const NEED: Readonly<Record<ServiceName, readonly Request[]>> = {
  'artifact-store': [
    ['POST', '/turns'],
    ['GET', '/windows/1'],
  ],
  'run-log': [
    ['GET', ''],
    ['GET', '/events'],
    ['POST', '/turns'],
    ['POST', '/windows'],
  ],
  'transcript-assembler': [
    ['POST', '/windows'],
    ['GET', '/windows/1'],
    ['GET', '/usage'],
    ['GET', '/verification'],
  ],
  'replay-coordinator': [
    ['POST', ':fork'],
    ['GET', '/verification'],
  ],
  // Asked for nothing on a run: registry/registry-faults.ts kills it.
  'lineage-registry': [],
  'summarizer-worker': [],
  orchestrator: [],
  gateway: [],
};

const BODIES: Readonly<Record<string, object>> = {
  '/turns': { messages: [{ role: 'user', content: 'Anybody there?' }] },
  ':fork': { mode: 'replay' },
};

const LONG = { withinMs: 60_000 };
const UNAVAILABLE_WITHIN_MS = 2000;

describe('faults, every service in a process of its own', () => {
  let bench: FaultBench;
  /** Everything that was ever written, to be looked at again at the end. */
  const everything: WrittenRun[] = [];

  beforeAll(async () => {
    bench = await startFaultBench();
  });
  afterAll(() => bench?.stop());

  function report(what: string, counts: object): void {
    process.stderr.write(`faults: ${what}: ${JSON.stringify(counts)}\n`);
  }

  async function inspected(what: string, traffic: Traffic, more: object = {}): Promise<void> {
    const inspections = await Promise.all(traffic.runs.map((run) => inspectRun(bench.api, run)));
    const total = (name: 'messages' | 'windows' | 'summaries') =>
      inspections.reduce((sum, inspection) => sum + inspection[name], 0);
    report(what, {
      runs: traffic.runs.length,
      acknowledged: traffic.runs.reduce((sum, run) => sum + run.acknowledged.size, 0),
      messages: total('messages'),
      windows: total('windows'),
      summaries: total('summaries'),
      retries: traffic.retries,
      ...more,
    });
    expect(traffic.surprises).toEqual([]);
    expect(inspections.flatMap(({ faults }) => faults)).toEqual([]);
    everything.push(...traffic.runs);
  }

  /** More requests were answered since: things are back. */
  async function goesOn(traffic: Traffic, more = 8): Promise<void> {
    const before = traffic.acknowledged;
    await waitUntil(() => traffic.acknowledged >= before + more || traffic.surprises.length > 0, {
      ...LONG,
      what: 'requests are answered again',
    });
  }

  const post = (path: string, body?: object, key?: string) => bench.api.post(`/v1/runs${path}`, body, key);
  const get = (path: string) => bench.api.get(`/v1/runs${path}`);

  async function timed(ask: () => Promise<Answer>): Promise<object> {
    const started = performance.now();
    const { status, headers, json } = await ask();
    return {
      status,
      error: json?.error,
      retryAfter: headers.has('retry-after'),
      soon: performance.now() - started < UNAVAILABLE_WITHIN_MS,
    };
  }

  const UNAVAILABLE = { status: 503, error: 'service_unavailable', retryAfter: true, soon: true };

  describe('each service in turn, killed in the middle of a request', () => {
    let source: WrittenRun;
    let traffic: Traffic;
    beforeAll(async () => {
      source = await new Traffic(bench.api, 'prepared').writeRun(3);
      traffic = new Traffic(bench.api, 'kills');
      traffic.start({ writers: 3, forksOf: source.runId });
    });
    afterAll(() => traffic?.stop());

    it.each(SERVICES)(
      '%s: what needs it is answered 503, everything goes on when it is back',
      async (service) => {
        await goesOn(traffic);
        await waitUntil(() => traffic.inFlight(AT_WORK[service]) > 0, LONG);
        const count = bench.cluster.of(service).length;
        await bench.cluster.kill(service, 'SIGKILL');
        for (const [method, path] of NEED[service]) {
          const body = BODIES[path];
          const ask = () =>
            bench.api.request(method, `/v1/runs/${source.runId}${path}`, { ...(body && { body }) });
          expect({ path, ...(await timed(ask)) }).toEqual({ path, ...UNAVAILABLE });
        }
        await bench.cluster.add(service, count);
        await goesOn(traffic);
      },
    );

    it('loses nothing acknowledged, and does nothing twice', async () => {
      await goesOn(traffic, 20);
      await traffic.stop();
      everything.push(source);
      await inspected('each service killed', traffic, { killed: SERVICES, forks: traffic.forks.length });
      const { rows } = await bench.cluster.pool.query<{ run_id: string }>('SELECT run_id FROM run_log.runs');
      const asked = [...everything.map(({ runId }) => runId), ...traffic.forks];
      expect(rows.map(({ run_id }) => run_id).sort()).toEqual(asked.sort());
    });

    it('has replays that are whole, without one summary job', async () => {
      expect(traffic.forks.length).toBeGreaterThan(0);
      for (const fork of traffic.forks) {
        const verification = await bench.api.ok(get(`/${fork}/verification`));
        expect(verification).toMatchObject({
          ok: true,
          summarizerCalls: 0,
          windowsChecked: source.windows.size,
        });
      }
      const jobs = await summaryJobs(bench.cluster.pool);
      expect(jobs.filter(({ run_id }) => traffic.forks.includes(run_id))).toEqual([]);
    });
  });

  it('answers the request it has when the gateway is told to go', async () => {
    const { runId } = await bench.api.ok(post('', { workflowId: 'palimpsest-external' }));
    const [gateway] = bench.cluster.of('gateway');
    const { url, key } = bench.cluster;
    const half = await HalfSentRequest.open(`${url}/v1/runs/${runId}/turns`, key, LAST_WORDS);
    gateway?.signal('SIGTERM');
    await waitUntil(() => (gateway?.logged('Shutting down') ?? []).length > 0);
    expect(await half.finish()).toBe(201);
    await gateway?.end();
    expect(gateway?.exitCode).toBe(0);
    await bench.cluster.restart('gateway');
    expect(await bench.api.ok(get(`/${runId}`))).toMatchObject({ messageCount: 1 });
  });

  it('hands requests over when instances are replaced one by one', async () => {
    const traffic = new Traffic(bench.api, 'rolling');
    traffic.start({ writers: 2 });
    await goesOn(traffic);
    for (const service of ['run-log', 'transcript-assembler'] as const) {
      await bench.cluster.replace(service);
      await goesOn(traffic);
    }
    await traffic.stop();
    await inspected('rolling restart', traffic);
    expect(traffic.retries).toBe(0);
  });

  it('answers 503 while Postgres is gone, and goes on without a restart', async () => {
    const traffic = new Traffic(bench.api, 'postgres');
    traffic.start({ writers: 2 });
    await goesOn(traffic, 12);
    const pids = bench.cluster.pids();
    const run = traffic.runs[0]?.runId ?? '';
    await bench.postgres.stop();
    const unavailable = { status: 503, error: 'service_unavailable', retryAfter: true };
    for (const ask of [
      () => get(`/${run}`),
      () => get(''),
      () => post('', { workflowId: 'palimpsest-external' }),
      () => post(`/${run}/turns`, { messages: [{ role: 'user', content: 'Anybody there?' }] }, 'nobody'),
      () => post(`/${run}/windows`),
    ]) {
      expect(await timed(ask)).toMatchObject(unavailable);
    }
    expect(await answersReady(bench.cluster.url)).toBe(false);
    await bench.postgres.start();
    await goesOn(traffic, 20);
    await traffic.stop();
    expect(bench.cluster.pids()).toEqual(pids);
    await inspected('Postgres stopped', traffic);
  });

  it('answers 503 within two seconds while NATS is gone, delivers what was committed, goes on', async () => {
    const traffic = new Traffic(bench.api, 'nats');
    traffic.start({ writers: 3 });
    await goesOn(traffic, 12);
    const pids = bench.cluster.pids();
    const run = traffic.runs[0]?.runId ?? '';
    const eventsUrl = `${bench.cluster.url}/v1/runs/${run}/events?streamMode=debug`;
    const stream = await EventStreamClient.open(eventsUrl, bench.cluster.key);
    await waitUntil(() => stream.frames.length > 3);
    await bench.nats.kill();
    const readyz = () => bench.api.get('/readyz');
    await waitUntil(async () => (await readyz()).json.details?.checks.bus === 'failing');
    for (const ask of [
      () => get(''),
      () => get(`/${run}`),
      () => get(`/${run}/events`),
      () => get(`/${run}/usage`),
      () => get(`/${run}/windows/1`),
      () => get(`/${run}/verification`),
      () => post('', { workflowId: 'palimpsest-external' }, 'no-bus-1'),
      () => post(`/${run}/turns`, { messages: [{ role: 'user', content: 'Anybody there?' }] }, 'no-bus-2'),
      () => post(`/${run}/windows`),
      () => post(`/${run}:fork`, { mode: 'replay' }, 'no-bus-3'),
      () => post(`/${run}/finish`),
    ]) {
      expect(await timed(ask)).toEqual(UNAVAILABLE);
    }
    // Committed beside the services, while there is nobody to publish to.
    await new PostgresEventLog(bench.cluster.pool).append({
      tenantId: 'default',
      runId: 'committed-meanwhile',
      expectedHead: 'no-run',
      workflowId: 'test',
      events: [{ type: 'run.started', payload: { workflowId: 'test' }, schemaVersion: 1 }],
      at: new Date(),
    });
    await bench.nats.start();
    await goesOn(traffic, 20);
    await traffic.stop();
    expect(bench.cluster.pids()).toEqual(pids);
    await inspected('NATS killed', traffic);

    // A client whose stream broke comes back with the last id it has.
    const { lastSequence } = await bench.api.ok(get(`/${run}`));
    const seen = stream.frames.map(({ id }) => id);
    await stream.close();
    const resumed = await EventStreamClient.open(eventsUrl, bench.cluster.key, seen.at(-1));
    await waitUntil(() => seen.length + resumed.frames.length > lastSequence);
    const ids = [...seen, ...resumed.frames.map(({ id }) => id)];
    expect(ids).toEqual(ids.map((_, index) => index));
    await resumed.close();
    const { rows } = await bench.cluster.pool.query<{ run_id: string; sequence: string }>(
      'SELECT run_id, sequence FROM run_log.events',
    );
    const committed = rows.map(({ run_id, sequence }) => eventIdOf(run_id, Number(sequence)));
    await waitUntil(async () => (await relayedEventIds(bench.nats.url)).length >= committed.length, LONG);
    const relayed = await relayedEventIds(bench.nats.url);
    report('run events in the stream', { committed: committed.length, relayed: relayed.length });
    expect([...relayed].sort()).toEqual([...committed].sort());
    expect(relayed).toContain(eventIdOf('committed-meanwhile', 0));
  });

  it('answers 503 while NATS is silent, and goes on when it speaks again', async () => {
    const traffic = new Traffic(bench.api, 'silent');
    const { runId } = await traffic.writeRun(1);
    bench.nats.freeze();
    const answers = await Promise.all(
      [() => get(''), () => get(`/${runId}`), () => post('', { workflowId: 'palimpsest-external' })].map(
        timed,
      ),
    );
    bench.nats.resume();
    expect(answers).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
    await bench.api.persistently(() => get(`/${runId}`));
    await inspected('NATS silent', traffic);
  });

  it('buries a poison job where it can be seen, and does the others', async () => {
    const bus = await connectNatsBus({ url: bench.nats.url, name: 'e2e', logger: silentLogger });
    const publish = (id: string, body: JsonObject) =>
      bus.publish(STREAMS.summarize, { id, subject: summarizeSubject('default'), body });
    await publish('poison', { nonsense: true });
    await publish('unreadable', {
      jobId: 'unreadable',
      tenantId: 'default',
      runId: 'nowhere',
      tokenCounter: 'chars',
      maxTokens: 100,
      absorbed: [],
      messages: [{ sequence: 1, artifactId: `art_${'A'.repeat(32)}` }],
    });
    const fallbacks = () => bench.cluster.logLines().filter(isFallback).length;
    const before = fallbacks();
    const traffic = new Traffic(bench.api, 'poison');
    await traffic.writeRun(6);
    const letters = await waitUntil(async () => {
      const found = await bus.deadLetters(STREAMS.summarize, 10);
      return found.length > 0 && found;
    });
    await bus.close();
    expect(letters).toMatchObject([{ id: 'poison', code: 'validation_error', attempts: 1 }]);
    const dead = bench.cluster.logLines().filter(({ fields }) => fields['msg'] === 'message dead-lettered');
    expect(dead.map(({ fields }) => fields['messageId'])).toEqual(['poison']);
    await inspected('poison job', traffic, { deadLetters: letters.length, fallbacks: fallbacks() - before });
  });

  it('keeps windows legal without any summarizer worker', async () => {
    await bench.cluster.kill('summarizer-worker');
    const traffic = new Traffic(bench.api, 'outage');
    const run = await traffic.writeRun(5);
    const fallbacks = bench.cluster
      .logLines()
      .filter((line) => isFallback(line) && line.fields['runId'] === run.runId);
    expect(fallbacks.length).toBeGreaterThan(0);
    await bench.cluster.add('summarizer-worker', 2);
    // Jobs were given to the fleet until it had missed some in a row. They are taken late, and change nothing.
    const jobs = fallbacks.map(({ fields }) => String(fields['jobId']));
    const takenLate = () =>
      bench.cluster
        .of('summarizer-worker')
        .flatMap((worker) => worker.logged('Summary job done'))
        .filter(({ fields }) => jobs.includes(String(fields['jobId'])));
    await waitUntil(() => takenLate().some(({ fields }) => fields['jobId'] === jobs[0]), LONG);
    expect(new Set(takenLate().map(({ fields }) => fields['outcome']))).toEqual(new Set(['done before']));
    await inspected('no summarizer worker', traffic, { fallbacks: fallbacks.length });
  });

  it('answers 503 without the artifact store, and leaves nothing half written', async () => {
    const traffic = new Traffic(bench.api, 'artifacts');
    const { runId } = await traffic.writeRun(2);
    const before = await bench.api.ok(get(`/${runId}`));
    await bench.cluster.kill('artifact-store');
    const messages = [{ role: 'user', content: 'Kept for later.' }];
    const append = () => post(`/${runId}/turns`, { messages }, 'kept-for-later');
    expect(await timed(append)).toEqual(UNAVAILABLE);
    expect(await timed(() => get(`/${runId}/windows/1`))).toEqual(UNAVAILABLE);
    expect(await bench.api.ok(get(`/${runId}`))).toEqual(before);
    await bench.cluster.add('artifact-store');
    const { answer } = await bench.api.persistently(append);
    expect(answer.status).toBe(201);
    const after = await bench.api.ok(get(`/${runId}`));
    expect(after).toMatchObject({
      messageCount: before.messageCount + 1,
      lastSequence: before.lastSequence + 1,
    });
    everything.push(...traffic.runs);
  });

  it('reads every window the same after everything was killed and started again', async () => {
    const before = await allWindowBytes(bench.api, everything);
    await Promise.all([bench.cluster.killAll(), bench.nats.kill(), bench.postgres.stop()]);
    // The services come first: each waits for its servers.
    const starting = bench.cluster.addAll();
    await waitUntil(() => bench.cluster.logLines().some(isWaitingForBus), LONG);
    await Promise.all([bench.postgres.start(), bench.nats.start()]);
    await starting;
    const after = await allWindowBytes(bench.api, everything);
    report('everything restarted', { runs: everything.length, windows: before.size });
    expect(before.size).toBeGreaterThan(100);
    expect([...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path)).toEqual([]);
  });

  it('has logged no error that is none of the faults', () => {
    const errors = bench.cluster.logLines().filter(({ fields }) => fields['level'] === 'error');
    expect(errors.map(({ text }) => text)).toEqual([]);
  });

  it('has kept content in the artifact store alone, whatever failed', async () => {
    expect(bench.cluster.logLines().filter(({ text }) => text.includes(TRAFFIC_MARKER))).toEqual([]);
    const found = await rowsHolding(bench.cluster.pool, TRAFFIC_MARKER);
    expect(Object.keys(found)).toEqual(['artifact_store']);
  });
});

describe('faults, every service in one process', () => {
  let running: AllInOneDeployment;

  beforeAll(async () => {
    running = await startAllInOne(HASTY);
  });
  afterAll(() => running?.stop());

  it('loses nothing acknowledged when the process is killed in the middle of a request', async () => {
    const traffic = new Traffic(running.api, 'killed');
    traffic.start({ writers: 3 });
    for (let kills = 0; kills < 2; kills += 1) {
      const before = traffic.acknowledged;
      await waitUntil(() => traffic.acknowledged > before + 20 && traffic.inFlight('turns') > 0, LONG);
      await running.end('SIGKILL');
      await running.startAgain();
    }
    await traffic.stop();
    const inspections = await Promise.all(traffic.runs.map((run) => inspectRun(running.api, run)));
    expect(traffic.surprises).toEqual([]);
    expect(inspections.flatMap(({ faults }) => faults)).toEqual([]);
  });

  it('answers the request it has when it is told to go, and ends its streams', async () => {
    const { runId } = await running.api.ok(
      running.api.post('/v1/runs', { workflowId: 'palimpsest-external' }),
    );
    const url = `${running.api.url}/v1/runs/${runId}/turns`;
    const stream = await EventStreamClient.open(
      `${running.api.url}/v1/runs/${runId}/events?streamMode=debug`,
      running.key,
    );
    await waitUntil(() => stream.frames.length > 0);
    const half = await HalfSentRequest.open(url, running.key, LAST_WORDS);
    running.process().signal('SIGTERM');
    await waitUntil(() => running.process().logged('Shutting down').length > 0);
    expect(await half.finish()).toBe(201);
    await running.process().end();
    expect(running.process().exitCode).toBe(0);
    await waitUntil(() => stream.ended);
  });
});

function isWaitingForBus({ fields }: { readonly fields: Readonly<Record<string, unknown>> }): boolean {
  return fields['msg'] === 'the bus server cannot be reached';
}

function isFallback({ fields }: { readonly fields: Readonly<Record<string, unknown>> }): boolean {
  return fields['msg'] === 'no worker answered in time: summarized here';
}
