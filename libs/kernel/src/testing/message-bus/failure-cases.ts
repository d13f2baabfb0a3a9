import type { JsonValue, StreamSpec } from '@palimpsest/contracts';
import { NO_OUTCOME } from '../../bus/delivery-policy.js';
import { ServiceUnavailableError, ValidationError } from '../../errors/known-errors.js';
import type { Delivery, MessageBus } from '../../ports/message-bus.js';
import { waitUntil } from '../wait-until.js';
import { fast, Gate, subjectIn, type OpenBusCase } from './harness.js';

const KINDS: readonly StreamSpec['kind'][] = ['work', 'limits'];

const publish = (bus: MessageBus, stream: StreamSpec, id: string, body: JsonValue = id) =>
  bus.publish(stream, { id, subject: subjectIn(stream, 'run'), body });

const letters = async (bus: MessageBus, stream: StreamSpec) => bus.deadLetters(stream, 100);

export function retryCases(open: OpenBusCase): void {
  it.each(KINDS)('delivers a message of a %s stream again after a failure, counting', async (kind) => {
    const { bus, stream: make } = open();
    const stream = make(kind);
    const attempts: number[] = [];
    await bus.consume(fast(stream), async ({ attempt }) => {
      attempts.push(attempt);
      if (attempt < 3) throw new TypeError('not yet');
    });
    await publish(bus, stream, 'm');
    await waitUntil(() => attempts.length >= 3);
    expect(attempts).toEqual([1, 2, 3]);
    expect(await letters(bus, stream)).toEqual([]);
  });

  it('waits as long as a retryable error asks', async () => {
    const { bus, stream: make } = open();
    const stream = make('work');
    const times: number[] = [];
    await bus.consume(fast(stream), async ({ attempt }) => {
      times.push(performance.now());
      if (attempt === 1) throw new ServiceUnavailableError('The model', { retryAfterMs: 400 });
    });
    await publish(bus, stream, 'm');
    await waitUntil(() => times.length === 2);
    // Clocks of two machines or processes may differ by a little.
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(380);
  });

  it('goes on with others while one waits for its retry', async () => {
    const { bus, stream: make } = open();
    const stream = make('work');
    const done: JsonValue[] = [];
    let failures = 0;
    await bus.consume(fast(stream), async ({ body, attempt }) => {
      if (body === 'poison' && attempt < 3) {
        failures += 1;
        throw new ServiceUnavailableError('The model', { retryAfterMs: 250 });
      }
      done.push(body);
    });
    for (const id of ['poison', 'a', 'b', 'c']) await publish(bus, stream, id);
    await waitUntil(() => done.length === 4);
    expect(done).toEqual(['a', 'b', 'c', 'poison']);
    expect(failures).toBe(2);
  });

  it('delivers to another hand what stays without an answer', async () => {
    const { bus, peer, stream: make } = open();
    const stream = make('work');
    const dead = new Gate();
    const attempts: number[] = [];
    const handler = async ({ attempt }: Delivery) => {
      attempts.push(attempt);
      if (attempt === 1) await dead.opened;
    };
    await bus.consume(fast(stream, { ackWaitMs: 300 }), handler);
    await peer.consume(fast(stream, { ackWaitMs: 300 }), handler);
    await publish(bus, stream, 'm');
    await waitUntil(() => attempts.length >= 2);
    expect(attempts).toEqual([1, 2]);
    dead.open();
  });

  it('leaves a job alone that says it is alive', async () => {
    const { bus, peer, stream: make } = open();
    const stream = make('work');
    const attempts: number[] = [];
    let isDone = false;
    const handler = async ({ attempt, working }: Delivery) => {
      attempts.push(attempt);
      const startedAt = performance.now();
      await waitUntil(() => {
        working();
        return performance.now() - startedAt > 1200;
      });
      isDone = true;
    };
    await bus.consume(fast(stream, { ackWaitMs: 400 }), handler);
    await peer.consume(fast(stream, { ackWaitMs: 400 }), handler);
    await publish(bus, stream, 'm');
    await waitUntil(() => isDone);
    expect(attempts).toEqual([1]);
  });
}

export function deadLetterCases(open: OpenBusCase): void {
  it.each(KINDS)('buries a message of a %s stream at once on a terminal error', async (kind) => {
    const { bus, stream: make } = open();
    const stream = make(kind);
    let calls = 0;
    await bus.consume(fast(stream, { durable: 'picky' }), async () => {
      calls += 1;
      throw new ValidationError('No.');
    });
    await publish(bus, stream, 'm', { n: 1 });
    await waitUntil(async () => (await letters(bus, stream)).length > 0);
    const found = await letters(bus, stream);
    expect(found).toEqual([
      {
        id: 'm',
        stream: stream.name,
        durable: 'picky',
        subject: subjectIn(stream, 'run'),
        body: { n: 1 },
        attempts: 1,
        code: 'validation_error',
        place: expect.any(String),
        buriedAt: found[0]?.buriedAt,
      },
    ]);
    expect(Math.abs(Date.now() - Number(found[0]?.buriedAt))).toBeLessThan(3_600_000);
    expect(calls).toBe(1);
  });

  it.each([
    ['an unknown error', new TypeError('said: a secret'), 'internal_error'],
    [
      'a retryable error',
      new ServiceUnavailableError('The model', { retryAfterMs: 10 }),
      'service_unavailable',
    ],
  ])('buries a message when %s has used up its attempts', async (_, error, code) => {
    const { bus, stream: make } = open();
    const stream = make('work');
    const attempts: number[] = [];
    await bus.consume(fast(stream, { maxAttempts: 3 }), async ({ attempt }) => {
      attempts.push(attempt);
      throw error;
    });
    await publish(bus, stream, 'm');
    await waitUntil(async () => (await letters(bus, stream)).length > 0);
    expect(attempts).toEqual([1, 2, 3]);
    const found = await letters(bus, stream);
    expect(found).toMatchObject([{ id: 'm', attempts: 3, code }]);
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  it('buries a message whose handlers never answer', async () => {
    const { bus, stream: make } = open();
    const stream = make('work');
    const dead = new Gate();
    const options = fast(stream, { concurrency: 3, maxAttempts: 2, ackWaitMs: 200 });
    const attempts: number[] = [];
    await bus.consume(options, async ({ attempt }) => {
      attempts.push(attempt);
      await dead.opened;
    });
    await publish(bus, stream, 'm');
    await waitUntil(async () => (await letters(bus, stream)).length > 0);
    dead.open();
    expect(attempts).toEqual([1, 2]);
    expect(await letters(bus, stream)).toMatchObject([{ id: 'm', attempts: 2, code: NO_OUTCOME }]);
  });

  it('works on after a burial, and does not deliver the buried again after a restart', async () => {
    const { bus, stream: make, restart } = open();
    const stream = make('work');
    const done: JsonValue[] = [];
    const handler = async ({ body }: Delivery) => {
      if (body === 'poison') throw new ValidationError('No.');
      done.push(body);
    };
    await bus.consume(fast(stream), handler);
    for (const id of ['a', 'poison', 'b']) await publish(bus, stream, id);
    await waitUntil(() => done.length === 2);
    const again = await restart();
    const seen: JsonValue[] = [];
    await again.consume(fast(stream), async ({ body }) => void seen.push(body));
    await publish(again, stream, 'c');
    await waitUntil(() => seen.length > 0);
    expect([done, seen]).toEqual([['a', 'b'], ['c']]);
    expect(await letters(again, stream)).toMatchObject([{ id: 'poison' }]);
  });

  it('lists the newest dead letters of one stream, newest last', async () => {
    const { bus, stream: make } = open();
    const [stream, other] = [make('work', 'one'), make('work', 'two')];
    expect(await letters(bus, stream)).toEqual([]);
    const refuse = async () => {
      throw new ValidationError('No.');
    };
    await bus.consume(fast(stream), refuse);
    await bus.consume(fast(other), refuse);
    await publish(bus, other, 'foreign');
    for (const id of ['a', 'b', 'c']) await publish(bus, stream, id);
    await waitUntil(async () => (await letters(bus, stream)).length === 3);
    expect((await bus.deadLetters(stream, 2)).map(({ id }) => id)).toEqual(['b', 'c']);
    expect(await bus.deadLetters(stream, 0)).toEqual([]);
  });
}
