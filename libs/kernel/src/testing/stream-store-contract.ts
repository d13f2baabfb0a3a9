import type { JsonValue } from '@palimpsest/contracts';
import { DUPLICATE_WINDOW_MS } from '../bus/delivery-policy.js';
import type { StreamDelivery, StreamStore, TakenMessage, TakeRequest } from '../ports/stream-store.js';

export type StreamStoreHarness = { readonly store: StreamStore; close(): Promise<void> };

const at = (ms: number) => new Date(Date.UTC(2030, 0, 1) + ms);

/** What every `StreamStore` keeps. Times are the caller's, so nothing here waits. */
export function streamStoreContract(name: string, open: () => Promise<StreamStoreHarness>): void {
  describe(`StreamStore: ${name}`, () => {
    let harness: StreamStoreHarness;
    let stream: string;
    beforeAll(async () => {
      harness = await open();
    });
    beforeEach(() => {
      stream = `spec-${globalThis.crypto.randomUUID()}`;
    });
    afterAll(() => harness.close());

    const openCase = () => new StreamStoreCase(harness.store, stream);
    describe('keeping and handing out', () => takingCases(openCase));
    describe('settling', () => settlingCases(openCase));
    describe('forgetting', () => forgettingCases(openCase));
  });
}

/** One stream, with the durable `reader` unless told otherwise. */
class StreamStoreCase {
  constructor(
    readonly store: StreamStore,
    readonly stream: string,
  ) {}

  know(durable = 'reader'): Promise<void> {
    return this.store.addDurable({ stream: this.stream, durable });
  }

  append(id: string, time = 0, body: JsonValue = id): Promise<void> {
    return this.store.append({ stream: this.stream, message: { id, subject: 's.x', body }, at: at(time) });
  }

  take(options: { time?: number; until?: number; limit?: number; durable?: string } = {}) {
    const { time = 0, until = time + 1000, limit = 10, durable = 'reader' } = options;
    const request: TakeRequest = {
      stream: this.stream,
      durable,
      limit,
      now: at(time),
      hiddenUntil: at(until),
    };
    return this.store.take(request);
  }

  async takeIds(options: Parameters<StreamStoreCase['take']>[0] = {}): Promise<string[]> {
    return (await this.take(options)).map(({ id }) => id);
  }

  key(message: TakenMessage | undefined, durable = 'reader'): StreamDelivery {
    return { stream: this.stream, durable, place: message?.place ?? '0', attempt: message?.attempt ?? 0 };
  }

  letter(id: string, durable = 'reader') {
    return {
      id,
      stream: this.stream,
      durable,
      subject: 's.x',
      body: { id },
      attempts: 1,
      code: 'internal_error',
    };
  }
}

function takingCases(open: () => StreamStoreCase): void {
  it('hands out what came after the durable was known, oldest first, as often as asked', async () => {
    const one = open();
    await one.append('too early');
    await one.know();
    for (const id of ['a', 'b', 'c']) await one.append(id);
    await one.know();
    expect(await one.take({ limit: 2 })).toMatchObject([
      { id: 'a', subject: 's.x', body: 'a', attempt: 1 },
      { id: 'b', attempt: 1 },
    ]);
    expect(await one.takeIds()).toEqual(['c']);
    expect(await one.takeIds()).toEqual([]);
  });

  it('keeps a message for each durable', async () => {
    const one = open();
    await one.know('x');
    await one.know('y');
    await one.append('a');
    const [mine] = await one.take({ durable: 'x' });
    await one.store.acknowledge(one.key(mine, 'x'));
    expect(await one.takeIds({ durable: 'x', time: 5000 })).toEqual([]);
    expect(await one.takeIds({ durable: 'y' })).toEqual(['a']);
  });

  it('hands a message out again when its time has come, and says when that is', async () => {
    const one = open();
    await one.know();
    expect(await one.store.nextDue({ stream: one.stream, durable: 'reader' })).toBeUndefined();
    await one.append('a', 10);
    expect(await one.store.nextDue({ stream: one.stream, durable: 'reader' })).toEqual(at(10));
    await one.take({ time: 10, until: 500 });
    expect(await one.store.nextDue({ stream: one.stream, durable: 'reader' })).toEqual(at(500));
    expect(await one.take({ time: 499 })).toEqual([]);
    expect(await one.take({ time: 500 })).toMatchObject([{ id: 'a', attempt: 2 }]);
  });

  it('gives each message to one of many takers', async () => {
    const one = open();
    await one.know();
    const ids = Array.from({ length: 40 }, (_, n) => `m-${n}`);
    for (const id of ids) await one.append(id);
    const taken = await Promise.all(Array.from({ length: 12 }, () => one.takeIds({ limit: 5 })));
    const rest = await one.takeIds({ limit: 100 });
    expect([...taken.flat(), ...rest].sort()).toEqual([...ids].sort());
  });

  it('keeps one message of an id, however many appends race', async () => {
    const one = open();
    await one.know();
    await Promise.all(Array.from({ length: 8 }, () => one.append('same')));
    expect(await one.takeIds()).toEqual(['same']);
  });

  it('keeps bodies as they are', async () => {
    const one = open();
    await one.know();
    const body = { z: 1, a: ['a\u0000b', 'cut \ud83d', 1e21, null, { __proto_: 1 }] };
    await one.append('a', 0, body);
    expect((await one.take())[0]?.body).toStrictEqual(body);
  });
}

function settlingCases(open: () => StreamStoreCase): void {
  it('never hands out again what was acknowledged, late or twice', async () => {
    const one = open();
    await one.know();
    await one.append('a');
    const [first] = await one.take({ until: 10 });
    await one.take({ time: 10, until: 20 });
    await one.store.acknowledge(one.key(first));
    await one.store.acknowledge(one.key(first));
    expect(await one.take({ time: 1_000_000 })).toEqual([]);
  });

  it('postpones, to sooner or later', async () => {
    const one = open();
    await one.know();
    for (const id of ['a', 'b']) await one.append(id);
    const [a, b] = await one.take({ until: 100 });
    await one.store.postpone(one.key(a), at(50));
    await one.store.postpone(one.key(b), at(500));
    expect(await one.takeIds({ time: 60, until: 10_000 })).toEqual(['a']);
    expect(await one.takeIds({ time: 499 })).toEqual([]);
    expect(await one.takeIds({ time: 500 })).toEqual(['b']);
  });

  it('does not let a delivery of before postpone the one of now', async () => {
    const one = open();
    await one.know();
    await one.append('a');
    const [stale] = await one.take({ until: 10 });
    await one.take({ time: 10, until: 100 });
    await one.store.postpone(one.key(stale), at(20));
    expect(await one.takeIds({ time: 50 })).toEqual([]);
  });

  it('buries once, and acknowledges', async () => {
    const one = open();
    await one.know();
    for (const id of ['a', 'b', 'c']) await one.append(id);
    const taken = await one.take({ until: 10 });
    for (const message of taken) await one.store.bury(one.key(message), one.letter(message.id), at(7));
    await one.store.bury(one.key(taken[0]), { ...one.letter('a'), attempts: 9 }, at(8));
    expect(await one.take({ time: 1_000_000 })).toEqual([]);
    const letters = ['a', 'b', 'c'].map((id) => one.letter(id));
    const kept = letters.map((letter) => ({ ...letter, place: expect.any(String), buriedAt: at(7) }));
    expect(await one.store.deadLetters(one.stream, 10)).toEqual(kept);
    expect(await one.store.deadLetters(one.stream, 2)).toEqual(kept.slice(1));
    expect(await one.store.deadLetters(`${one.stream}-other`, 10)).toEqual([]);
  });

  it('buries apart what two consumers could not handle', async () => {
    const one = open();
    await one.know();
    await one.append('a');
    const [taken] = await one.take();
    await one.store.bury(one.key(taken), one.letter('a', 'x'), at(0));
    await one.store.bury(one.key(taken), one.letter('a', 'y'), at(0));
    const letters = await one.store.deadLetters(one.stream, 10);
    expect(letters).toHaveLength(2);
    expect(new Set(letters.map(({ place }) => place)).size).toBe(2);
    expect(await one.store.lettersOf(one.stream, 'a')).toEqual(letters);
  });

  it('drops one letter, of its stream only; the next of that message is another one', async () => {
    const one = open();
    await one.know();
    for (const id of ['a', 'b']) await one.append(id);
    const [a, b] = await one.take();
    for (const message of [a, b])
      await one.store.bury(one.key(message), one.letter(message?.id ?? ''), at(0));
    const [letter] = await one.store.lettersOf(one.stream, 'a');
    await one.store.dropLetter(`${one.stream}-other`, letter?.place ?? '');
    expect(await one.store.lettersOf(one.stream, 'a')).toEqual([letter]);
    for (let round = 1; round <= 2; round += 1) await one.store.dropLetter(one.stream, letter?.place ?? '');
    expect(await one.store.lettersOf(one.stream, 'a')).toEqual([]);
    expect(await one.store.deadLetters(one.stream, 10)).toMatchObject([{ id: 'b' }]);
    await one.store.bury(one.key(a), one.letter('a'), at(1));
    const [next] = await one.store.lettersOf(one.stream, 'a');
    expect(next?.place).not.toBe(letter?.place);
    expect(await one.store.lettersOf(one.stream, 'never died')).toEqual([]);
  });
}

function forgettingCases(open: () => StreamStoreCase): void {
  const settle = async (one: StreamStoreCase, time: number) => {
    for (const message of await one.take({ time })) await one.store.acknowledge(one.key(message));
  };

  it('remembers an id for the duplicate window, acknowledged or not', async () => {
    const one = open();
    await one.know();
    await one.append('a');
    await settle(one, 0);
    await one.append('a', DUPLICATE_WINDOW_MS - 1);
    expect(await one.takeIds({ time: DUPLICATE_WINDOW_MS })).toEqual([]);
  });

  it('takes an acknowledged id again after the window, behind what came before', async () => {
    const one = open();
    await one.know();
    await one.append('a');
    await settle(one, 0);
    const later = DUPLICATE_WINDOW_MS + 1;
    await one.append('b', later);
    await one.append('a', later, 'again');
    expect(await one.take({ time: later })).toMatchObject([
      { id: 'b' },
      { id: 'a', body: 'again', attempt: 1 },
    ]);
  });

  it('forgets what has expired, and keeps what has not', async () => {
    const one = open();
    await one.know();
    const append = (id: string, expiresAt?: Date) =>
      one.store.append({
        stream: one.stream,
        message: { id, subject: 's.x', body: null },
        at: at(0),
        ...(expiresAt && { expiresAt }),
      });
    await append('old', at(1000));
    await append('kept');
    const later = 10 * DUPLICATE_WINDOW_MS;
    await one.append('new', later);
    expect(await one.takeIds({ time: later })).toEqual(['kept', 'new']);
  });
}
