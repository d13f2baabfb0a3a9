import { silentLogger, ValidationError, type MessageBus } from '@palimpsest/kernel';
import { waitUntil } from '@palimpsest/kernel/testing';
import { connectNatsBus, type NatsBus } from './nats-bus.js';
import { createTestNatsServer, type TestNatsServer } from './testing/nats-server.js';

const WORK = { name: 'LOSS_WORK', kind: 'work', subject: 'loss.work.>' } as const;
const EVENTS = { name: 'LOSS_EVENTS', kind: 'limits', subject: 'loss.events.>' } as const;
const UNAVAILABLE = { code: 'service_unavailable', retryable: true };

const publish = (bus: MessageBus, id: string) => bus.publish(WORK, { id, subject: 'loss.work.x', body: id });

describe('a NATS server that goes away', () => {
  let server: TestNatsServer;
  const buses: NatsBus[] = [];

  const open = async () => {
    const bus = await connectNatsBus({
      url: server.url,
      name: 'spec',
      logger: silentLogger,
      firstConnectMs: 500,
      streamLimits: { maxBytes: 16 * 1024 * 1024 },
    });
    buses.push(bus);
    return bus;
  };
  const isBack = (bus: NatsBus) => waitUntil(() => bus.isConnected(), { what: 'the connection' });

  beforeEach(async () => {
    server = await createTestNatsServer();
  });
  afterEach(async () => {
    server.resume();
    await Promise.all(buses.splice(0).map((bus) => bus.close()));
    await server.remove();
  });

  async function msUntilUnavailable(work: () => Promise<unknown>): Promise<number> {
    const startedAt = performance.now();
    await expect(work()).rejects.toMatchObject(UNAVAILABLE);
    return performance.now() - startedAt;
  }

  it('makes a request that waits for its answer unavailable at once, and those after it', async () => {
    const [asker, answerer] = [await open(), await open()];
    let entered = 0;
    let finish: () => void = () => undefined;
    await answerer.respond('never', 'q', () => {
      entered += 1;
      return new Promise((resolve) => (finish = () => resolve(null)));
    });
    const waiting = msUntilUnavailable(() => asker.request('never', 1, { timeoutMs: 30_000 }));
    await waitUntil(() => entered === 1);
    await server.kill();
    expect(await waiting).toBeLessThan(2000);
    await waitUntil(() => !asker.isConnected());
    expect(await msUntilUnavailable(() => asker.request('never', 1, { timeoutMs: 30_000 }))).toBeLessThan(
      500,
    );
    expect(await msUntilUnavailable(() => publish(asker, 'm'))).toBeLessThan(2000);
    expect(await msUntilUnavailable(() => asker.deadLetters(WORK, 10))).toBeLessThan(500);
    expect(() => asker.notify('wake', 1)).not.toThrow();
    finish();
  });

  it('answers and wakes again after the server came back, without another word from us', async () => {
    const [asker, answerer] = [await open(), await open()];
    const woken: unknown[] = [];
    await answerer.respond('echo', 'q', async (body) => body);
    await answerer.listen('wake.>', (body) => void woken.push(body));
    await server.kill();
    await waitUntil(() => !asker.isConnected() && !answerer.isConnected());
    asker.notify('wake.a', 'lost');
    await server.start();
    await Promise.all([isBack(asker), isBack(answerer)]);
    // Connected is not yet subscribed: the server may take the question before it takes the answerer's subscription.
    const echoes = () =>
      asker.request('echo', 'again').then(
        (answer) => answer === 'again',
        () => false,
      );
    await waitUntil(echoes, { what: 'the answerer' });
    asker.notify('wake.a', 'heard');
    await waitUntil(() => woken.length > 0);
    expect(woken).toEqual(['heard']);
  });

  it('loses nothing that was acknowledged, and consumes on', async () => {
    const [publisher, worker] = [await open(), await open()];
    const seen = new Set<unknown>();
    const acknowledged: string[] = [];
    await worker.consume({ stream: WORK, durable: 'd', ackWaitMs: 1000 }, async ({ body }) => {
      seen.add(body);
    });
    let stopped = false;
    const publishing = (async () => {
      for (let n = 0; !stopped; n += 1) {
        await publish(publisher, `m-${n}`).then(
          () => acknowledged.push(`m-${n}`),
          () => undefined,
        );
      }
    })();
    for (let round = 1; round <= 3; round += 1) {
      await waitUntil(() => acknowledged.length >= round * 50);
      await server.kill();
      await waitUntil(() => !publisher.isConnected());
      await server.start();
      await isBack(publisher);
    }
    stopped = true;
    await publishing;
    await waitUntil(() => acknowledged.every((id) => seen.has(id)), { withinMs: 20_000 });
    expect(acknowledged.length).toBeGreaterThanOrEqual(150);
  });

  it('makes streams and consumers anew where the server has lost its store', async () => {
    const bus = await open();
    const seen: unknown[] = [];
    await bus.ensureStream(EVENTS);
    await bus.consume({ stream: WORK, durable: 'd' }, async ({ body }) => {
      if (body === 'poison') throw new ValidationError('No.');
      seen.push(body);
    });
    await bus.consume({ stream: EVENTS, durable: 'd' }, async ({ body }) => void seen.push(body));
    await server.kill();
    await server.start({ forget: true });
    await isBack(bus);
    await publish(bus, 'poison');
    await publish(bus, 'work');
    await bus.publish(EVENTS, { id: 'e', subject: 'loss.events.x', body: 'event' });
    await waitUntil(() => seen.length >= 2);
    expect(seen.sort()).toEqual(['event', 'work']);
    await waitUntil(async () => (await bus.deadLetters(WORK, 10)).length === 1);
  });

  it('starts without a server and works as soon as there is one', async () => {
    await server.kill();
    const bus = await open();
    expect(bus.isConnected()).toBe(false);
    const seen: unknown[] = [];
    await bus.ensureStream(WORK);
    await bus.respond('echo', 'q', async (body) => body);
    await bus.listen('wake', (body) => void seen.push(body));
    await bus.consume({ stream: WORK, durable: 'd' }, async ({ body }) => void seen.push(body));
    await expect(bus.request('echo', 1)).rejects.toMatchObject(UNAVAILABLE);
    await server.start();
    await isBack(bus);
    expect(await bus.request('echo', 1)).toBe(1);
    await publish(bus, 'job');
    await waitUntil(() => seen.length === 1);
    bus.notify('wake', 'woken');
    await waitUntil(() => seen.length === 2);
    expect(seen).toEqual(['job', 'woken']);
  });

  it('is unavailable while the server is silent, and works on afterwards', async () => {
    const bus = await open();
    await bus.ensureStream(WORK);
    await bus.respond('echo', 'q', async (body) => body);
    server.freeze();
    expect(await msUntilUnavailable(() => bus.request('echo', 1, { timeoutMs: 500 }))).toBeLessThan(1500);
    expect(await msUntilUnavailable(() => publish(bus, 'm'))).toBeLessThan(4500);
    server.resume();
    expect(await bus.request('echo', 2)).toBe(2);
    await publish(bus, 'm');
  });

  it('publishes through a short absence', async () => {
    const bus = await open();
    await bus.ensureStream(WORK);
    await server.kill();
    await waitUntil(() => !bus.isConnected());
    const publishing = publish(bus, 'm');
    await server.start();
    await publishing;
    const seen: unknown[] = [];
    await bus.consume({ stream: WORK, durable: 'd' }, async ({ body }) => void seen.push(body));
    await waitUntil(() => seen.length === 1);
  });

  it('closes promptly while the server is away, also one that never was there', async () => {
    const bus = await open();
    await bus.respond('echo', 'q', async (body) => body);
    await bus.consume({ stream: WORK, durable: 'd' }, async () => undefined);
    await server.kill();
    await waitUntil(() => !bus.isConnected());
    const never = await open();
    await never.consume({ stream: WORK, durable: 'd' }, async () => undefined);
    const startedAt = performance.now();
    await Promise.all([bus.close(), never.close()]);
    expect(performance.now() - startedAt).toBeLessThan(3000);
  });

  it('gives back at once what it is handed while it closes', async () => {
    const [publisher, leaving, staying] = [await open(), await open(), await open()];
    await publisher.ensureStream(WORK);
    const seen: unknown[] = [];
    const handler = async ({ body }: { body: unknown }) => void seen.push(body);
    // Nothing may wait for this: a message dropped by the one that leaves would come after half a minute.
    const options = { stream: WORK, durable: 'd', ackWaitMs: 30_000, concurrency: 8 };
    await leaving.consume(options, handler);
    await staying.consume(options, handler);
    const publishing = Promise.all(Array.from({ length: 300 }, (_, n) => publish(publisher, `m-${n}`)));
    await waitUntil(() => seen.length > 20);
    await leaving.close();
    await publishing;
    await waitUntil(() => new Set(seen).size === 300);
    expect(seen).toHaveLength(300);
  });
});
