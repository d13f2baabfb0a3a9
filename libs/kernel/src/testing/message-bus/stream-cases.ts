import type { JsonValue, StreamSpec } from '@palimpsest/contracts';
import { DURABLE_OVERHEAD_BYTES } from '../../bus/body.js';
import type { Delivery, MessageBus } from '../../ports/message-bus.js';
import { waitUntil } from '../wait-until.js';
import { fast, Gate, subjectIn, textOfBytes, type OpenBusCase } from './harness.js';

const KINDS: readonly StreamSpec['kind'][] = ['work', 'limits'];

/** Publishes `m-<from>` to `m-<to>`, bodies alike. */
async function publishAll(bus: MessageBus, stream: StreamSpec, [from, to]: [number, number]): Promise<void> {
  for (let n = from; n <= to; n += 1) {
    await bus.publish(stream, { id: `m-${n}`, subject: subjectIn(stream, 'run'), body: n });
  }
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

export function streamCases(open: OpenBusCase): void {
  it.each(KINDS)('delivers a message of a %s stream to its consumer', async (kind) => {
    const { bus, peer, stream: make } = open();
    const stream = make(kind);
    const seen: Delivery[] = [];
    await peer.consume(fast(stream), async (delivery) => void seen.push(delivery));
    const subject = subjectIn(stream, 'tenant.run');
    await bus.publish(stream, { id: 'm-1', subject, body: { n: 1 } });
    await waitUntil(() => seen.length > 0);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ id: 'm-1', subject, body: { n: 1 }, attempt: 1 });
  });

  it.each(KINDS)('keeps the order of a %s stream for a consumer with one hand', async (kind) => {
    const { bus, stream: make } = open();
    const stream = make(kind);
    const seen: JsonValue[] = [];
    await bus.consume(fast(stream), async ({ body }) => void seen.push(body));
    await publishAll(bus, stream, [1, 50]);
    await waitUntil(() => seen.length >= 50);
    expect(seen).toEqual(numbers(1, 50));
  });

  it.each(KINDS)('drops the second message of an id in a %s stream', async (kind) => {
    const { bus, stream: make } = open();
    const stream = make(kind);
    const seen: JsonValue[] = [];
    await bus.consume(fast(stream), async ({ body }) => void seen.push(body));
    const subject = subjectIn(stream, 'run');
    await bus.publish(stream, { id: 'same', subject, body: 'first' });
    await waitUntil(() => seen.length === 1);
    await bus.publish(stream, { id: 'same', subject, body: 'second' });
    await bus.publish(stream, { id: 'other', subject, body: 'third' });
    await waitUntil(() => seen.includes('third'));
    expect(seen).toEqual(['first', 'third']);
  });

  it('gives each durable of a limits stream every message', async () => {
    const { bus, peer, stream: make } = open();
    const stream = make('limits');
    const seen = { one: [] as JsonValue[], two: [] as JsonValue[] };
    await bus.consume(fast(stream, { durable: 'one' }), async ({ body }) => void seen.one.push(body));
    await peer.consume(fast(stream, { durable: 'two' }), async ({ body }) => void seen.two.push(body));
    await publishAll(bus, stream, [1, 5]);
    await waitUntil(() => seen.one.length + seen.two.length >= 10);
    expect(seen).toEqual({ one: numbers(1, 5), two: numbers(1, 5) });
  });

  it('keeps the jobs of a work stream for a consumer that comes later', async () => {
    const { bus, stream: make } = open();
    const stream = make('work');
    await bus.ensureStream(stream);
    await bus.ensureStream(stream);
    await publishAll(bus, stream, [1, 3]);
    const seen: JsonValue[] = [];
    await bus.consume(fast(stream), async ({ body }) => void seen.push(body));
    await waitUntil(() => seen.length >= 3);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('makes a stream that nobody has ensured when it is published to', async () => {
    const { bus, stream: make } = open();
    const stream = make('work');
    await bus.publish(stream, { id: 'a', subject: subjectIn(stream, 'x'), body: 1 });
    const seen: JsonValue[] = [];
    await bus.consume(fast(stream), async ({ body }) => void seen.push(body));
    await waitUntil(() => seen.length === 1);
  });

  it('hands over JSON copies, at the limit of size, and refuses more', async () => {
    const { bus, stream: make, maxBodyBytes } = open();
    const stream = make('work');
    const seen: JsonValue[] = [];
    await bus.consume(fast(stream), async ({ body }) => void seen.push(body));
    const subject = subjectIn(stream, 'run');
    const limit = maxBodyBytes - DURABLE_OVERHEAD_BYTES;
    const largest = textOfBytes(limit);
    const odd = { at: new Date(0), gone: undefined, nul: '\u0000' } as unknown as JsonValue;
    await bus.publish(stream, { id: 'odd', subject, body: odd });
    await bus.publish(stream, { id: 'large', subject, body: largest });
    const over = bus.publish(stream, { id: 'over', subject, body: textOfBytes(limit + 1) });
    await expect(over).rejects.toMatchObject({ code: 'payload_too_large' });
    await waitUntil(() => seen.length === 2);
    expect(seen[0]).toStrictEqual({ at: '1970-01-01T00:00:00.000Z', nul: '\u0000' });
    expect(seen[1] === largest).toBe(true);
  });

  it('refuses a subject that is not of the stream, or not one to send to', async () => {
    const { bus, stream: make, subject } = open();
    const stream = make('work');
    for (const wrong of [subject('elsewhere'), stream.subject, subjectIn(stream, 'a b')]) {
      const publishing = bus.publish(stream, { id: 'a', subject: wrong, body: 1 });
      await expect(publishing).rejects.toMatchObject({ code: 'validation_error' });
    }
  });
}

export function sharingCases(open: OpenBusCase): void {
  it.each(KINDS)('shares a %s stream between instances of a durable, each message once', async (kind) => {
    const { bus, peer, stream: make } = open();
    const stream = make(kind);
    const seen: JsonValue[] = [];
    const hands = new Set<string>();
    const both = new Gate();
    // Nobody finishes before both have taken something: so both have.
    const handler = (name: string) => async (delivery: Delivery) => {
      seen.push(delivery.body);
      if (hands.add(name).size === 2) both.open();
      await both.opened;
    };
    await bus.consume(fast(stream), handler('one'));
    await peer.consume(fast(stream), handler('two'));
    await publishAll(bus, stream, [1, 30]);
    await waitUntil(() => seen.length >= 30);
    expect(hands).toEqual(new Set(['one', 'two']));
    expect([...seen].sort((a, b) => Number(a) - Number(b))).toEqual(numbers(1, 30));
  });

  it('has at most `concurrency` messages at work in an instance', async () => {
    const { bus, stream: make } = open();
    const stream = make('work');
    const gate = new Gate();
    let atWork = 0;
    let most = 0;
    let done = 0;
    await bus.consume(fast(stream, { concurrency: 3 }), async () => {
      most = Math.max(most, (atWork += 1));
      await gate.opened;
      atWork -= 1;
      done += 1;
    });
    await publishAll(bus, stream, [1, 10]);
    await waitUntil(() => atWork === 3);
    gate.open();
    await waitUntil(() => done === 10);
    expect(most).toBe(3);
  });

  it.each(KINDS)('keeps the position in a %s stream over a restart', async (kind) => {
    const { bus, stream: make, restart } = open();
    const stream = make(kind);
    const before: JsonValue[] = [];
    await bus.consume(fast(stream), async ({ body }) => void before.push(body));
    await publishAll(bus, stream, [1, 4]);
    await waitUntil(() => before.length === 4);
    const again = await restart();
    await publishAll(again, stream, [5, 8]);
    const after: JsonValue[] = [];
    await again.consume(fast(stream), async ({ body }) => void after.push(body));
    await waitUntil(() => after.length >= 4);
    expect(before).toEqual([1, 2, 3, 4]);
    expect(after).toEqual([5, 6, 7, 8]);
  });

  it('lets the work in hand finish before it closes, and hands it to nobody again', async () => {
    const { bus, peer, stream: make, restart } = open();
    const stream = make('work');
    const gate = new Gate();
    const seen: JsonValue[] = [];
    await peer.consume(fast(stream), async ({ body }) => {
      seen.push(body);
      await gate.opened;
    });
    await publishAll(bus, stream, [1, 2]);
    await waitUntil(() => seen.length === 1);
    let isOpenAgain = false;
    const restarting = restart().finally(() => (isOpenAgain = true));
    await waitUntil(() => !bus.isConnected() || bus === peer);
    expect(isOpenAgain).toBe(false);
    gate.open();
    const again = await restarting;
    const after: JsonValue[] = [];
    await again.consume(fast(stream), async ({ body }) => void after.push(body));
    await waitUntil(() => after.length >= 1);
    expect([seen, after]).toEqual([[1], [2]]);
  });

  it('takes nothing more for a consumer that was closed', async () => {
    const { bus, stream: make } = open();
    const stream = make('limits');
    const seen: JsonValue[] = [];
    const other: JsonValue[] = [];
    const consumer = await bus.consume(fast(stream), async ({ body }) => void seen.push(body));
    await bus.consume(fast(stream, { durable: 'other' }), async ({ body }) => void other.push(body));
    await publishAll(bus, stream, [1, 1]);
    await waitUntil(() => seen.length === 1);
    await consumer.close();
    await publishAll(bus, stream, [2, 2]);
    await waitUntil(() => other.length === 2);
    expect(seen).toEqual([1]);
    await bus.consume(fast(stream), async ({ body }) => void seen.push(body));
    await waitUntil(() => seen.length >= 2);
    expect(seen).toEqual([1, 2]);
  });
}
