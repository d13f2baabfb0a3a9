import type { JsonValue, StreamSpec } from '@palimpsest/contracts';
import { ServiceUnavailableError, ValidationError } from '../../errors/known-errors.js';
import type { Delivery, KeptLetter, MessageBus } from '../../ports/message-bus.js';
import { waitUntil } from '../wait-until.js';
import { fast, subjectIn, type BusCase, type OpenBusCase } from './harness.js';

const publish = (bus: MessageBus, stream: StreamSpec, id: string, body: JsonValue = id) =>
  bus.publish(stream, { id, subject: subjectIn(stream, 'run'), body });

/** A consumer that refuses everything until it is mended. */
class Picky {
  isMended = false;
  readonly seen: { readonly id: string; readonly body: JsonValue; readonly attempt: number }[] = [];

  readonly handle = async ({ id, body, attempt }: Delivery): Promise<void> => {
    this.seen.push({ id, body, attempt });
    if (!this.isMended) throw new ValidationError('No.');
  };
}

/** A stream of which messages of these ids have died. */
async function afterDeaths(
  { bus, stream: make }: BusCase,
  kind: StreamSpec['kind'],
  ids: readonly string[],
): Promise<{ readonly stream: StreamSpec; readonly picky: Picky }> {
  const stream = make(kind);
  const picky = new Picky();
  await bus.consume(fast(stream), picky.handle);
  for (const id of ids) await publish(bus, stream, id, { of: id });
  await buried(bus, stream, ids.length);
  return { stream, picky };
}

async function buried(bus: MessageBus, stream: StreamSpec, count: number): Promise<readonly KeptLetter[]> {
  let letters: readonly KeptLetter[] = [];
  await waitUntil(async () => (letters = await bus.deadLetters(stream, 100)).length === count, {
    what: `${count} dead letters`,
  });
  return letters;
}

const KINDS: readonly StreamSpec['kind'][] = ['work', 'limits'];

export function retriedLetterCases(open: OpenBusCase): void {
  it.each(KINDS)(
    'sends a dead message of a %s stream again, with all its attempts, as another one',
    async (kind) => {
      const { bus } = open();
      const { stream, picky } = await afterDeaths(open(), kind, ['a', 'b']);
      picky.isMended = true;
      expect(await bus.retryDeadLetter(stream, 'a')).toBe(true);
      await waitUntil(() => picky.seen.length === 3);
      expect(picky.seen[2]).toMatchObject({ body: { of: 'a' }, attempt: 1 });
      expect(picky.seen[2]?.id).not.toBe('a');
      expect(await bus.deadLetters(stream, 100)).toMatchObject([{ id: 'b' }]);
    },
  );

  it('buries a retried message again where it fails again, as often as it is retried', async () => {
    const { bus } = open();
    const { stream, picky } = await afterDeaths(open(), 'work', ['a']);
    for (let round = 2; round <= 4; round += 1) {
      const [letter] = await bus.deadLetters(stream, 100);
      expect(await bus.retryDeadLetter(stream, letter?.id ?? '')).toBe(true);
      await waitUntil(() => picky.seen.length === round);
      const [next] = await buried(bus, stream, 1);
      expect(next).toMatchObject({ body: { of: 'a' }, attempts: 1 });
      expect(next?.place).not.toBe(letter?.place);
    }
    const ids = picky.seen.map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(Math.max(...ids.map((id) => id.length))).toBeLessThan(32);
  });

  it('makes one message of two retries at once', async () => {
    const { bus, peer } = open();
    const { stream, picky } = await afterDeaths(open(), 'work', ['a']);
    picky.isMended = true;
    const answers = await Promise.all([bus.retryDeadLetter(stream, 'a'), peer.retryDeadLetter(stream, 'a')]);
    expect(answers).toContain(true);
    await publish(bus, stream, 'last');
    await waitUntil(() => picky.seen.some(({ id }) => id === 'last'));
    expect(picky.seen.filter(({ body }) => body !== 'last')).toHaveLength(2);
    expect(await bus.deadLetters(stream, 100)).toEqual([]);
  });

  it('retries what several consumers of a stream could not handle once', async () => {
    const { bus, stream: make } = open();
    const stream = make('limits');
    const [one, two] = [new Picky(), new Picky()];
    await bus.consume(fast(stream, { durable: 'one' }), one.handle);
    await bus.consume(fast(stream, { durable: 'two' }), two.handle);
    await publish(bus, stream, 'a');
    await buried(bus, stream, 2);
    one.isMended = two.isMended = true;
    expect(await bus.retryDeadLetter(stream, 'a')).toBe(true);
    await waitUntil(() => one.seen.length === 2 && two.seen.length === 2);
    expect(await bus.deadLetters(stream, 100)).toEqual([]);
  });

  it('retries after a restart, also a message that used its attempts up', async () => {
    const { bus, stream: make, restart } = open();
    const stream = make('work');
    await bus.consume(fast(stream, { maxAttempts: 2 }), async () => {
      throw new ServiceUnavailableError('The model', { retryAfterMs: 1 });
    });
    await publish(bus, stream, 'a', { of: 'a' });
    await buried(bus, stream, 1);
    const again = await restart();
    expect(await again.retryDeadLetter(stream, 'a')).toBe(true);
    const seen: JsonValue[] = [];
    await again.consume(fast(stream), async ({ body }) => void seen.push(body));
    await waitUntil(() => seen.length > 0);
    expect(seen).toEqual([{ of: 'a' }]);
    expect(await again.deadLetters(stream, 100)).toEqual([]);
  });
}

export function droppedLetterCases(open: OpenBusCase): void {
  it('drops one letter, for good', async () => {
    const { bus, restart } = open();
    const { stream, picky } = await afterDeaths(open(), 'work', ['a', 'b', 'c']);
    expect(await bus.dropDeadLetter(stream, 'b')).toBe(true);
    expect((await bus.deadLetters(stream, 100)).map(({ id }) => id)).toEqual(['a', 'c']);
    expect(await bus.dropDeadLetter(stream, 'b')).toBe(false);
    const again = await restart();
    expect((await again.deadLetters(stream, 100)).map(({ id }) => id)).toEqual(['a', 'c']);
    expect(picky.seen).toHaveLength(3);
  });

  it('knows no letter of another id or stream', async () => {
    const { bus, stream: make } = open();
    const { stream } = await afterDeaths(open(), 'work', ['a']);
    const other = make('work', 'other');
    await bus.ensureStream(other);
    for (const [where, id] of [
      [stream, 'A'],
      [stream, ''],
      [other, 'a'],
    ] as const) {
      expect(await bus.retryDeadLetter(where, id)).toBe(false);
      expect(await bus.dropDeadLetter(where, id)).toBe(false);
    }
    expect(await bus.deadLetters(stream, 100)).toHaveLength(1);
  });
}
