import { InProcessBus } from '@palimpsest/adapter-memory';
import { connectNatsBus } from '@palimpsest/adapter-nats';
import { createTestNatsServer } from '@palimpsest/adapter-nats/testing';
import { BUS_MIGRATIONS, PostgresStreamStore } from '@palimpsest/adapter-postgres';
import { createTestDatabase } from '@palimpsest/adapter-postgres/testing';
import { STREAMS, summarizeSubject, type StreamSpec } from '@palimpsest/contracts';
import { silentLogger, ValidationError, type MessageBus } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { Output, type Environment } from '../output/output.js';
import type { Session } from '../program/session.js';
import { listLetters } from './list-letters.js';
import { dropLetters, retryLetters } from './settle-letters.js';
import { showLetter } from './show-letter.js';

type Place = { readonly environment: Environment; readonly bus: MessageBus; close(): Promise<void> };

async function onPostgres(): Promise<Place> {
  const database = await createTestDatabase([BUS_MIGRATIONS]);
  const bus = new InProcessBus({ store: new PostgresStreamStore(database.pool) });
  return {
    environment: { DATABASE_URL: database.url },
    bus,
    close: async () => {
      await bus.close();
      await database.drop();
    },
  };
}

async function onNats(): Promise<Place> {
  const server = await createTestNatsServer();
  const bus = await connectNatsBus({
    url: server.url,
    name: 'spec',
    logger: silentLogger,
    streamLimits: { maxBytes: 16 * 1024 * 1024 },
  });
  return {
    // Of a deployment of services apart, which has a database as well.
    environment: { NATS_URL: server.url, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    bus,
    close: async () => {
      await bus.close();
      await server.remove();
    },
  };
}

type Heard = { out: string; err: string; code: number | void };

async function hear(
  environment: Environment,
  work: (session: Session) => Promise<number | void>,
): Promise<Heard> {
  const heard: Heard = { out: '', err: '', code: 0 };
  const out = { write: (text: string) => (heard.out += text) };
  const err = { write: (text: string) => (heard.err += text) };
  const api = (): Promise<never> => Promise.reject(new TypeError('no server is asked'));
  heard.code = await work({ output: new Output(out, err, {}), environment, api });
  return heard;
}

describe.each([
  ['the bus of one process', onPostgres],
  ['NATS', onNats],
])('palimpsest dlq on %s', (_, open) => {
  let place: Place;
  let isMended: boolean;
  let seen: string[];
  beforeEach(async () => {
    place = await open();
    [isMended, seen] = [false, []];
    const handler = async ({ body }: { body: unknown }): Promise<void> => {
      seen.push(JSON.stringify(body));
      if (!isMended) throw new ValidationError('No.');
    };
    for (const stream of [STREAMS.summarize, STREAMS.runEvents])
      await place.bus.consume({ stream, durable: 'reader' }, handler);
  });
  afterEach(() => place.close());

  const say = (work: (session: Session) => Promise<number | void>): Promise<Heard> =>
    hear(place.environment, work);

  async function die(stream: StreamSpec, ...ids: readonly string[]): Promise<void> {
    const before = (await place.bus.deadLetters(stream, 100)).length;
    for (const id of ids) {
      const subject =
        stream === STREAMS.summarize ? summarizeSubject('acme') : 'palimpsest.run-events.acme.r';
      await place.bus.publish(stream, { id, subject, body: { jobId: id } });
    }
    await waitUntil(async () => (await place.bus.deadLetters(stream, 100)).length === before + ids.length);
  }

  const left = async (): Promise<readonly string[]> => {
    const { out } = await say((session) => listLetters({ limit: 100, json: true }, session));
    return (JSON.parse(out) as { deadLetters: { id: string }[] }).deadLetters.map(({ id }) => id);
  };

  it('lists what died, newest last, and shows one of them', async () => {
    expect(await say((session) => listLetters({ limit: 100 }, session))).toMatchObject({
      out: '',
      err: 'No dead letters.\n',
    });
    await die(STREAMS.summarize, 'job-1');
    await die(STREAMS.runEvents, 'evt-1');
    await die(STREAMS.summarize, 'job-2');
    const { out } = await say((session) => listLetters({ limit: 100 }, session));
    const [title, first] = out.split('\n');
    expect(title).toMatch(/^id +stream +consumer +attempts +code +died$/);
    expect(first).toMatch(/^job-1 +SUMMARIZE +reader +1 +validation_error +\d{4}-/);
    expect(await left()).toEqual(['job-1', 'evt-1', 'job-2']);
    const one = await say((session) => listLetters({ limit: 1, stream: 'SUMMARIZE' }, session));
    expect(one.out).toContain('job-2');
    expect(one.out).not.toMatch(/job-1|evt-1/);
    const shown = await say((session) => showLetter('job-1', {}, session));
    expect(shown.out).toMatch(/^id +job-1\n[^]*\nbody\n\{\n {2}"jobId": "job-1"\n\}\n$/);
    const machine = await say((session) => showLetter('job-1', { json: true }, session));
    expect(JSON.parse(machine.out)).toMatchObject({
      deadLetters: [
        { id: 'job-1', stream: 'SUMMARIZE', body: { jobId: 'job-1' }, buriedAt: expect.any(String) },
      ],
    });
  });

  it('retries one, or all of a stream', async () => {
    await die(STREAMS.summarize, 'job-1', 'job-2', 'job-3');
    await die(STREAMS.runEvents, 'evt-1');
    isMended = true;
    expect(await say((session) => retryLetters(['job-2'], {}, session))).toMatchObject({
      code: 0,
      out: '1 message retried.\n',
    });
    expect(await left()).toEqual(['job-1', 'job-3', 'evt-1']);
    const rest = await say((session) =>
      retryLetters([], { all: true, stream: 'SUMMARIZE', json: true }, session),
    );
    expect(JSON.parse(rest.out)).toEqual({
      retried: [
        { stream: 'SUMMARIZE', id: 'job-1' },
        { stream: 'SUMMARIZE', id: 'job-3' },
      ],
      refused: [],
      missing: [],
    });
    expect(await left()).toEqual(['evt-1']);
    const again = (id: string): number => seen.filter((body) => body.includes(`"${id}"`)).length;
    await waitUntil(() => ['job-1', 'job-2', 'job-3'].every((id) => again(id) === 2), { withinMs: 15_000 });
  });

  it('drops what is named, or all', async () => {
    await die(STREAMS.summarize, 'job-1', 'job-2', 'job-3');
    await die(STREAMS.runEvents, 'evt-1');
    const some = await say((session) => dropLetters(['job-1', 'gone', 'evt-1'], {}, session));
    expect(some).toMatchObject({ code: 3, out: '2 messages dropped.\n' });
    expect(some.err).toBe('There is no dead letter gone.\n');
    expect(await left()).toEqual(['job-2', 'job-3']);
    await say((session) => dropLetters([], { all: true }, session));
    expect(await left()).toEqual([]);
    expect(seen).toHaveLength(4);
  });

  it('ends with 3 where there is no such letter, and with 2 where it is not said which', async () => {
    const unknown = { exitCode: 3, code: 'not_found' };
    await expect(say((session) => showLetter('nope', {}, session))).rejects.toMatchObject(unknown);
    await expect(say((session) => retryLetters(['nope'], {}, session))).rejects.toMatchObject(unknown);
    await expect(say((session) => dropLetters(['nope'], { json: true }, session))).rejects.toMatchObject(
      unknown,
    );
    for (const [ids, all] of [
      [[], false],
      [['job-1'], true],
    ] as const) {
      await expect(say((session) => dropLetters(ids, { all }, session))).rejects.toMatchObject({
        exitCode: 2,
      });
    }
  });
});

describe('palimpsest dlq', () => {
  const list = (options: object, environment: Environment): Promise<unknown> =>
    hear(environment, (session) => listLetters({ limit: 1, ...options }, session)).catch(
      (error: unknown) => error,
    );

  it('says what to do where no bus is named or runs', async () => {
    const nowhere = await list({ dataDir: '/nowhere' }, { NATS_URL: 'nats://127.0.0.1:1' });
    expect(nowhere).toMatchObject({
      exitCode: 3,
      code: 'no_database',
      hint: expect.stringContaining('NATS_URL'),
    });
    const silent = await list({}, { NATS_URL: 'nats://me:hush@127.0.0.1:1' });
    expect(silent).toMatchObject({ exitCode: 3, code: 'unreachable' });
    expect(String(silent)).not.toContain('hush');
  });

  it('says so where the database has no tables', async () => {
    const empty = await createTestDatabase([]);
    expect(await list({ databaseUrl: empty.url }, {})).toMatchObject({ exitCode: 3, code: 'not_migrated' });
    await empty.drop();
  });

  it.each([
    [{ natsUrl: 'nats://a', dataDir: 'x' }, {}],
    [{ natsUrl: 'http://u:hush@a' }, {}],
    [{}, { NATS_URL: 'postgres://u:hush@a' }],
    [{ databaseUrl: 'mysql://u:hush@a' }, {}],
  ])('takes no %p with %p, and repeats no URL', async (options, environment) => {
    const refusal = await list(options, environment);
    expect(refusal).toMatchObject({ exitCode: 2 });
    expect(String(refusal)).not.toContain('hush');
  });
});
