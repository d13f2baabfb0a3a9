import type { JsonValue } from '@palimpsest/contracts';
import { ServiceUnavailableError, ValidationError } from '../../errors/known-errors.js';
import { RetryableError, TerminalError } from '../../errors/palimpsest-error.js';
import { waitUntil } from '../wait-until.js';
import { Gate, textOfBytes, type OpenBusCase } from './harness.js';

const echo = async (body: JsonValue) => body;
const failing = (error: unknown) => async (): Promise<JsonValue> => {
  throw error;
};

export function requestCases(open: OpenBusCase): void {
  it('brings the body there and the answer back', async () => {
    const { bus, peer, subject } = open();
    await peer.respond(subject('sum'), 'adders', async (body) => {
      const [a, b] = body as [number, number];
      return { sum: a + b };
    });
    expect(await bus.request(subject('sum'), [2, 3])).toEqual({ sum: 5 });
  });

  it.each<[string, JsonValue]>([
    ['null', null],
    ['false', false],
    ['the empty text', ''],
    ['NUL and its literal spelling', ['a\u0000b', 'a\\u0000b']],
    ['a lone surrogate', 'cut \ud83d'],
    ['an edge of numbers', [9007199254740991, 5e-324, -1.5]],
  ])('keeps %s', async (_, body) => {
    const { bus, peer, subject } = open();
    await peer.respond(subject('echo'), 'q', echo);
    expect(await bus.request(subject('echo'), body)).toEqual(body);
  });

  it('hands over JSON and nothing else', async () => {
    const { bus, peer, subject } = open();
    await peer.respond(subject('echo'), 'q', echo);
    const at = new Date(0);
    const body = { at, nothing: undefined, list: [undefined] } as unknown as JsonValue;
    expect(await bus.request(subject('echo'), body)).toStrictEqual({ at: at.toISOString(), list: [null] });
  });

  it('hands over copies', async () => {
    const { bus, peer, subject } = open();
    const kept: JsonValue[] = [];
    await peer.respond(subject('keep'), 'q', async (body) => {
      kept.push(body);
      return kept;
    });
    const mine = { list: [1] };
    const answer = (await bus.request(subject('keep'), mine)) as { list: number[] }[];
    mine.list.push(2);
    answer[0]?.list.push(3);
    expect(kept).toEqual([{ list: [1] }]);
  });

  it('answers null for a handler without a value', async () => {
    const { bus, peer, subject } = open();
    await peer.respond(subject('void'), 'q', async () => undefined as unknown as JsonValue);
    expect(await bus.request(subject('void'), 1)).toBeNull();
  });

  it('shares requests among the responders of a queue, each answered once', async () => {
    const { bus, peer, subject } = open();
    const counts = { one: 0, two: 0 };
    await bus.respond(subject('work'), 'q', async () => ({ by: (counts.one += 1) }));
    await peer.respond(subject('work'), 'q', async () => ({ by: (counts.two += 1) }));
    await Promise.all(Array.from({ length: 60 }, () => bus.request(subject('work'), null)));
    expect(counts.one + counts.two).toBe(60);
    expect(Math.min(counts.one, counts.two)).toBeGreaterThan(0);
  });

  it('answers others while one handler is slow', async () => {
    const { bus, peer, subject } = open();
    const slow = new Gate();
    await peer.respond(subject('wait'), 'q', async (body) => {
      if (body === 'slow') await slow.opened;
      return body;
    });
    const waiting = bus.request(subject('wait'), 'slow');
    expect(await bus.request(subject('wait'), 'quick')).toBe('quick');
    slow.open();
    expect(await waiting).toBe('slow');
  });
}

export function requestFailureCases(open: OpenBusCase): void {
  it('brings a terminal error back with class, code and details', async () => {
    const { bus, peer, subject } = open();
    await peer.respond(subject('no'), 'q', failing(new ValidationError('Too small.', { field: 'limit' })));
    const error = await bus.request(subject('no'), 1).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TerminalError);
    expect(error).toMatchObject({
      code: 'validation_error',
      message: 'Too small.',
      details: { field: 'limit' },
    });
  });

  it('brings a retryable error back with its delay', async () => {
    const { bus, peer, subject } = open();
    const busy = new ServiceUnavailableError('The database', { retryAfterMs: 1234 });
    await peer.respond(subject('busy'), 'q', failing(busy));
    const error = await bus.request(subject('busy'), 1).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RetryableError);
    expect(error).toMatchObject({ code: 'service_unavailable', retryAfterMs: 1234 });
  });

  it('does not let the text of an unknown error cross', async () => {
    const { bus, peer, subject } = open();
    await peer.respond(subject('bug'), 'q', failing(new TypeError('said: a secret')));
    const error = await bus.request(subject('bug'), 1).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'internal_error' });
    expect(JSON.stringify([(error as Error).message, error])).not.toContain('secret');
  });

  it('is unavailable at once where nobody listens', async () => {
    const { bus, subject } = open();
    const startedAt = performance.now();
    await expect(bus.request(subject('nobody'), 1)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(performance.now() - startedAt).toBeLessThan(1900);
  });

  it('is unavailable when the time has passed', async () => {
    const { bus, peer, subject } = open();
    const never = new Gate();
    await peer.respond(subject('never'), 'q', () => never.opened.then(() => null));
    await expect(bus.request(subject('never'), 1, { timeoutMs: 60 })).rejects.toMatchObject({
      code: 'service_unavailable',
      retryable: true,
    });
    never.open();
  });

  it.each(['', 'a b', 'a..b', 'a.', '.a', 'a.*', 'a.>', '>'])('refuses the subject "%s"', async (subject) => {
    const { bus, subject: own } = open();
    await expect(bus.request(subject, 1)).rejects.toMatchObject({ code: 'validation_error' });
    await bus.respond(own('echo'), 'q', echo);
    expect(await bus.request(own('echo'), 1)).toBe(1);
  });

  it('stops answering when it is closed, after the work in hand', async () => {
    const { bus, peer, subject } = open();
    const gate = new Gate();
    const entered = new Gate();
    const responder = await peer.respond(subject('last'), 'q', async () => {
      entered.open();
      await gate.opened;
      return 'done';
    });
    const waiting = bus.request(subject('last'), 1);
    await entered.opened;
    let isClosed = false;
    const closing = responder.close().then(() => (isClosed = true));
    await waitUntil(async () =>
      bus.request(subject('last'), 1, { timeoutMs: 200 }).then(
        () => false,
        () => true,
      ),
    );
    expect(isClosed).toBe(false);
    gate.open();
    expect(await waiting).toBe('done');
    await closing;
  });
}

export function bodySizeCases(open: OpenBusCase): void {
  it('takes a request and an answer at the limit, in bytes', async () => {
    const { bus, peer, subject, maxBodyBytes } = open();
    await peer.respond(subject('echo'), 'q', echo);
    const body = textOfBytes(maxBodyBytes);
    expect((await bus.request(subject('echo'), body)) === body).toBe(true);
  });

  it('refuses a request over the limit and works on', async () => {
    const { bus, peer, subject, maxBodyBytes } = open();
    await peer.respond(subject('echo'), 'q', echo);
    const error = await bus
      .request(subject('echo'), textOfBytes(maxBodyBytes + 1))
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TerminalError);
    expect(error).toMatchObject({
      code: 'payload_too_large',
      details: { bytes: maxBodyBytes + 1, limitBytes: maxBodyBytes },
    });
    expect(await bus.request(subject('echo'), 'still here')).toBe('still here');
  });

  it('refuses an answer over the limit and works on', async () => {
    const { bus, peer, subject, maxBodyBytes } = open();
    await peer.respond(subject('grow'), 'q', async (body) =>
      body === 'big' ? textOfBytes(maxBodyBytes + 1) : body,
    );
    await expect(bus.request(subject('grow'), 'big')).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(await bus.request(subject('grow'), 'small')).toBe('small');
  });
}
