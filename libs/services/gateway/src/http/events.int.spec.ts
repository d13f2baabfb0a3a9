import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { wakeRunSubject } from '@palimpsest/contracts';
import { MemoryEventLog } from '@palimpsest/adapter-memory';
import { ServiceUnavailableError, type MessageBus } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { gatewayMigrations } from '../store/migrations.js';
import { startGateway, type GatewayHarness } from '../testing/gateway-harness.js';

type Frame = { readonly id: string | undefined; readonly event: string | undefined; readonly data: unknown };

function framesIn(text: string): Frame[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const fields = Object.fromEntries(
        block
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      return { id: fields['id'], event: fields['event'], data: JSON.parse(fields['data'] ?? 'null') };
    });
}

/** A log whose pages are short, and which can fail. */
class ShortPages extends MemoryEventLog {
  reads = 0;
  failing = false;

  override readRun(request: Parameters<MemoryEventLog['readRun']>[0]) {
    this.reads += 1;
    if (this.failing) return Promise.reject(new ServiceUnavailableError('The run log'));
    return super.readRun({ ...request, limit: 3 });
  }
}

describe('events', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  let log: ShortPages;
  let base: string;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    log = new ShortPages();
    // Woken only: a stream that waits for its poll would run into the spec's timeout.
    gateway = await startGateway(database.pool, {
      ports: { eventLog: log },
      pollMs: 3_600_000,
      keepAliveMs: 3_600_000,
    });
    await gateway.app.listen(0, '127.0.0.1');
    base = `http://127.0.0.1:${(gateway.app.getHttpServer().address() as { port: number }).port}`;
  });
  afterEach(() => gateway.close());

  const wake = (run: string) => (gateway.ports.bus as MessageBus).notify(wakeRunSubject('acme', run), {});

  async function say(run: string, ...texts: readonly string[]): Promise<void> {
    const messages = texts.map((content) => ({ role: 'user', content }));
    await gateway.ask({ method: 'POST', url: `/v1/runs/${run}/turns`, json: { messages } });
    wake(run);
  }

  async function finish(run: string): Promise<void> {
    await gateway.ask({ method: 'POST', url: `/v1/runs/${run}/finish` });
    wake(run);
  }

  async function follow(run: string, query = '?streamMode=debug', headers: Record<string, string> = {}) {
    const gone = new AbortController();
    const response = await fetch(`${base}/v1/runs/${run}/events${query}`, {
      signal: gone.signal,
      headers: { authorization: `Bearer ${gateway.key}`, accept: 'text/event-stream', ...headers },
    });
    const stream = { response, text: '', ended: false, leave: () => gone.abort() };
    const reading = (async () => {
      for await (const chunk of response.body ?? [])
        stream.text += Buffer.from(chunk as Uint8Array).toString();
      stream.ended = true;
    })();
    reading.catch(() => (stream.ended = true));
    return stream;
  }

  const sequences = (text: string): number[] => framesIn(text).map(({ id }) => Number(id));

  it('are a JSON list of the whole log, read page by page', async () => {
    const run = await gateway.newRun();
    await say(run, ...'abcdefgh');
    log.reads = 0;
    const answer = await gateway.ask({ method: 'GET', url: `/v1/runs/${run}/events` });
    const events = answer.body['events'] as { sequence: number; runId: string; eventId: string }[];
    expect(events.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(log.reads).toBe(3);
    for (const accept of ['*/*', 'application/json', '']) {
      const same = await gateway.ask({ method: 'GET', url: `/v1/runs/${run}/events`, headers: { accept } });
      expect(same.text).toBe(answer.text);
    }
  });

  it('are followed to the terminal event, each once', async () => {
    const run = await gateway.newRun();
    await say(run, 'a', 'b');
    const stream = await follow(run);
    expect(stream.response.headers.get('content-type')).toContain('text/event-stream');
    await waitUntil(() => sequences(stream.text).length === 3);
    await say(run, 'c', 'd', 'e', 'f');
    await waitUntil(() => sequences(stream.text).length === 7);
    await finish(run);
    await waitUntil(() => stream.ended);
    expect(sequences(stream.text)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const frames = framesIn(stream.text);
    expect(frames.at(-1)).toMatchObject({
      event: 'run.completed',
      data: { type: 'run.completed', sequence: 7 },
    });
    expect(frames[1]?.data).not.toHaveProperty('counts');
  });

  it.each([
    ['0', [1, 2, 3]],
    ['2', [3]],
    ['3', []],
    ['99', []],
    ['123456789012345678901234567890', [0, 1, 2, 3]],
    ['', [0, 1, 2, 3]],
    ['-1', [0, 1, 2, 3]],
    ['1.5', [0, 1, 2, 3]],
    ['garbage', [0, 1, 2, 3]],
    ['run_x-3', [0, 1, 2, 3]],
  ])('resume behind "%s" on a run that has ended, and close', async (id, expected) => {
    const run = await gateway.newRun();
    await say(run, 'a', 'b');
    await finish(run);
    const stream = await follow(run, undefined, { 'last-event-id': id });
    await waitUntil(() => stream.ended);
    expect(stream.response.status).toBe(200);
    expect(sequences(stream.text)).toEqual(expected);
  });

  it('go on behind the head where the id lies in the future', async () => {
    const run = await gateway.newRun();
    const stream = await follow(run, undefined, { 'last-event-id': '500' });
    await say(run, 'a');
    await finish(run);
    await waitUntil(() => stream.ended);
    expect(sequences(stream.text)).toEqual([1, 2]);
  });

  it('come in batches, in snapshots, or not at all, as the mode says', async () => {
    const run = await gateway.newRun();
    await say(run, 'a', 'b', 'c', 'd');
    await finish(run);
    const batched = await follow(run, '?bufferMs=4000&streamMode=debug,updates');
    await waitUntil(() => batched.ended);
    const [batch, ...others] = framesIn(batched.text);
    expect(others).toEqual([]);
    expect(batch).toMatchObject({ event: 'batch', id: '5' });
    expect(batch?.data).toHaveLength(6);
    const values = await follow(run, '?streamMode=values');
    await waitUntil(() => values.ended);
    expect(framesIn(values.text)).toMatchObject([
      { event: 'state.snapshot', data: { runId: run, status: 'completed' } },
    ]);
    const chunks = await follow(run, '?streamMode=messages');
    await waitUntil(() => chunks.ended);
    expect(framesIn(chunks.text)).toEqual([]);
  });

  it('are found by polling where no wake-up comes, and silence is broken by comments without an id', async () => {
    await gateway.close();
    gateway = await startGateway(database.pool, { ports: { eventLog: log }, pollMs: 20, keepAliveMs: 20 });
    await gateway.app.listen(0, '127.0.0.1');
    base = `http://127.0.0.1:${(gateway.app.getHttpServer().address() as { port: number }).port}`;
    const run = await gateway.newRun();
    const stream = await follow(run);
    await waitUntil(() => stream.text.split(':keepalive\n\n').length > 4);
    expect(sequences(stream.text)).toEqual([0]);
    await gateway.ask({ method: 'POST', url: `/v1/runs/${run}/finish` });
    await waitUntil(() => stream.ended);
    expect(sequences(stream.text)).toEqual([0, 1]);
  });

  it('are not held for a client that does not read them', async () => {
    await gateway.close();
    gateway = await startGateway(database.pool, { ports: { eventLog: log }, pollMs: 20, keepAliveMs: 20 });
    await gateway.app.listen(0, '127.0.0.1');
    const { port } = gateway.app.getHttpServer().address() as AddressInfo;
    const run = await gateway.newRun();
    const long = {
      type: 'palimpsest.message.appended',
      payload: { text: 'x'.repeat(60_000) },
      schemaVersion: 1,
    };
    for (let head = 0; head < 400; head += 20) {
      const events = Array.from({ length: 20 }, () => long);
      await log.append({ tenantId: 'acme', runId: run, expectedHead: head, events, at: new Date() });
    }
    const client = connect(port, '127.0.0.1');
    client
      .pause()
      .write(
        `GET /v1/runs/${run}/events?streamMode=debug HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${gateway.key}\r\n` +
          'Accept: text/event-stream\r\n\r\n',
      );
    const server: Server = gateway.app.getHttpServer();
    const connections = () => promisify(server.getConnections.bind(server))();
    await waitUntil(async () => (await connections()) === 1);
    await waitUntil(async () => (await connections()) === 0);
    client.destroy();
  });

  it('stop being listened for when the client leaves, or the process', async () => {
    const run = await gateway.newRun();
    let listening = 0;
    const { listen } = gateway.ports.bus;
    gateway.ports.bus.listen = async (...args) => {
      listening += 1;
      const subscription = await listen.apply(gateway.ports.bus, args);
      return {
        close: () => {
          listening -= 1;
          return subscription.close();
        },
      };
    };
    const other = await gateway.newRun();
    const leaving = await follow(other);
    const staying = await follow(run);
    await waitUntil(() => sequences(staying.text).length === 1 && listening === 2);
    leaving.leave();
    await waitUntil(() => listening === 1);
    await gateway.close();
    expect(listening).toBe(0);
    await waitUntil(() => staying.ended);
  });

  it('are a 503 where the log cannot be read, and a cut stream where it fails on the way', async () => {
    const run = await gateway.newRun();
    const stream = await follow(run);
    await waitUntil(() => sequences(stream.text).length === 1);
    log.failing = true;
    const answer = await gateway.ask({ method: 'GET', url: `/v1/runs/${run}/events` });
    expect(answer).toMatchObject({
      status: 503,
      body: { error: 'service_unavailable' },
      headers: { 'retry-after': '1' },
    });
    await say(run, 'a');
    await waitUntil(() => stream.ended);
    expect(sequences(stream.text)).toEqual([0]);
    log.failing = false;
    const resumed = await follow(run, undefined, { 'last-event-id': '0' });
    await finish(run);
    await waitUntil(() => resumed.ended);
    expect(sequences(resumed.text)).toEqual([1, 2]);
  });

  it('of types of this host are for debug alone', async () => {
    const run = await gateway.newRun();
    await say(run, 'a');
    await finish(run);
    const updates = await follow(run, '');
    await waitUntil(() => updates.ended);
    expect(framesIn(updates.text).map(({ event }) => event)).toEqual(['run.started', 'run.completed']);
  });

  const poll = (run: string, query = '') =>
    gateway.ask({ method: 'GET', url: `/v1/runs/${run}/events/poll${query}` });

  it('are polled: a page at once where there is something, the end where nothing comes', async () => {
    const run = await gateway.newRun();
    await say(run, 'a', 'b');
    expect((await poll(run)).body).toMatchObject({
      runId: run,
      events: [{ sequence: 0 }, { sequence: 1 }, { sequence: 2 }],
      isComplete: false,
      isTerminal: false,
      runStatus: 'running',
      lastEventSeq: 2,
    });
    expect((await poll(run, '?lastSequence=0')).body['events']).toMatchObject([
      { sequence: 1 },
      { sequence: 2 },
    ]);
    expect((await poll(run, '?lastSequence=2&timeout=0')).body).toMatchObject({
      events: [],
      isComplete: false,
    });
    await finish(run);
    expect((await poll(run, '?since=2&timeout=60')).body).toMatchObject({
      events: [{ sequence: 3 }],
      isComplete: true,
      isTerminal: true,
      runStatus: 'completed',
    });
    for (const beyond of ['3', '4', '500', '99999999999999999999'])
      expect((await poll(run, `?lastSequence=${beyond}&timeout=60`)).body).toMatchObject({
        events: [],
        isComplete: true,
      });
    for (const bad of ['x', '1.5', '']) expect((await poll(run, `?lastSequence=${bad}`)).status).toBe(400);
    expect((await poll('run_unknown')).status).toBe(404);
  });

  it('are waited for by a poll, which the bus wakes', async () => {
    const run = await gateway.newRun();
    let listening = 0;
    const { listen } = gateway.ports.bus;
    gateway.ports.bus.listen = async (...args) => {
      listening += 1;
      return listen.apply(gateway.ports.bus, args);
    };
    const polls = [1, 2, 3].map(() => poll(run, '?lastSequence=0&timeout=60'));
    await waitUntil(() => listening === 1);
    await say(run, 'a');
    for (const { body } of await Promise.all(polls)) expect(body['events']).toMatchObject([{ sequence: 1 }]);
    expect(listening).toBe(1);
    const late = poll(run, '?lastSequence=1&timeout=60');
    await waitUntil(() => listening === 2);
    await gateway.close();
    expect((await late).body).toMatchObject({ events: [], isComplete: false });
  });
});
