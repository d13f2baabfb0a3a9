import { SURROUNDINGS } from '../testing/judged.js';
import { answerOperation, answerStream, type ContextAnswer } from './answer.js';
import { MESSAGES } from './codes.js';
import { ContextRefusal } from './context-refusal.js';
import { OPERATION_NAMES } from './operations.js';
import { MAX_REQUEST_BYTES, parseRequest } from './request.js';

const ROUTE = '{"input":{"blocking":true}}';
const LOCAL = { ok: true, operation: 'route', result: { mode: 'local', reason_codes: ['BLOCKING'] } };
const refused = (code: keyof typeof MESSAGES): object => ({ ok: false, code, message: MESSAGES[code] });

async function* chunksOf(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}

const ask = (
  operation: string | undefined,
  ...parts: readonly (string | Uint8Array)[]
): Promise<ContextAnswer> =>
  answerStream({ operation, open: () => chunksOf(...parts), surroundings: () => SURROUNDINGS });

describe('the order of judgement (§1)', () => {
  it.each([undefined, ''])('without a word nothing is read: %p', async (operation) => {
    const open = (): never => {
      throw new TypeError('opened');
    };
    const answer = answerStream({ operation, open, surroundings: open });
    await expect(answer).resolves.toEqual(refused('UNSUPPORTED_OPERATION'));
  });

  it.each(['unknown', 'Route', ' route', 'route ', 'result_policy', '__proto__', 'constructor', 'toString'])(
    'an unknown word %p after the request is read',
    async (operation) => {
      await expect(ask(operation, ROUTE)).resolves.toEqual(refused('UNSUPPORTED_OPERATION'));
      await expect(ask(operation, 'x')).resolves.toEqual(refused('INVALID_REQUEST'));
      await expect(ask(operation, '[]')).resolves.toEqual(refused('INVALID_REQUEST'));
      await expect(ask(operation, ' '.repeat(MAX_REQUEST_BYTES + 1))).resolves.toEqual(
        refused('REQUEST_TOO_LARGE'),
      );
    },
  );

  it.each(OPERATION_NAMES)('%s wants an object with its operands', async (operation) => {
    for (const text of ['null', '[]', '5', '"x"', 'true', '', ' ', '{', '{}']) {
      await expect(ask(operation, text)).resolves.toEqual(refused('INVALID_REQUEST'));
    }
  });

  it('echoes the word and nothing else of the request', async () => {
    await expect(ask('route', ROUTE)).resolves.toEqual(LOCAL);
    await expect(ask('route', '{"secret":1,"input":{"blocking":true},"input2":{}}')).resolves.toEqual(LOCAL);
  });
});

describe('the cap (§1)', () => {
  const padded = (length: number): string => `${' '.repeat(1000)}${ROUTE}`.padEnd(length, '\n');

  it('takes 1048576 bytes, blanks included, and not one more', async () => {
    await expect(ask('route', padded(MAX_REQUEST_BYTES))).resolves.toEqual(LOCAL);
    await expect(ask('route', padded(MAX_REQUEST_BYTES), ' ')).resolves.toEqual(refused('REQUEST_TOO_LARGE'));
    const letters = `{"x":"${'é'.repeat(MAX_REQUEST_BYTES / 2 - 4)}","input":{"blocking":true}}`;
    await expect(ask('route', letters)).resolves.toEqual(refused('REQUEST_TOO_LARGE'));
  });

  it('answers at the first byte too many, though more would come', async () => {
    let closed = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(MAX_REQUEST_BYTES / 2 + 1);
      } finally {
        closed = true;
      }
    }
    const answer = answerStream({ operation: 'route', open: endless, surroundings: () => SURROUNDINGS });
    await expect(answer).resolves.toEqual(refused('REQUEST_TOO_LARGE'));
    expect(closed).toBe(true);
  });

  it('reads letters that straddle chunks', async () => {
    const bytes = Buffer.from('{"input":{"blocking":true,"note":"é😀"}}');
    const single = [...bytes].map((byte) => new Uint8Array([byte]));
    await expect(ask('route', ...single)).resolves.toEqual(LOCAL);
  });

  it('answers a broken stream as an invalid request', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{');
      throw Object.assign(new Error('read EIO /dev/secret'), { code: 'EIO' });
    }
    const answer = answerStream({ operation: 'route', open: broken, surroundings: () => SURROUNDINGS });
    await expect(answer).resolves.toEqual(refused('INVALID_REQUEST'));
  });
});

describe('JSON (§1)', () => {
  it.each([
    ['a byte order mark', '\ufeff{}'],
    ['a comment', '{}//'],
    ['a trailing comma', '{"a":1,}'],
    ['NaN', '{"a":NaN}'],
    ['single quotes', "{'a':1}"],
    ['a second value', '{} {}'],
    ['a control character', '{"a":"\u0001"}'],
    ['a no-break space', '\u00a0{}'],
    ['a number with a leading zero', '{"a":01}'],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['an encoded surrogate', new Uint8Array([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ['half a letter', new Uint8Array([0x7b, 0x22, 0xc3])],
    ['UTF-16', Buffer.from(ROUTE, 'utf16le')],
  ])('has no %s', async (_, part) => expect(await ask('route', part)).toEqual(refused('INVALID_REQUEST')));

  it('takes blanks around it', async () => expect(await ask('route', ` \t\r\n${ROUTE}\n `)).toEqual(LOCAL));

  it('lets the last of equal keys count', async () => {
    expect(await ask('route', '{"input":{"blocking":false,"blocking":true}}')).toEqual(LOCAL);
    expect(await ask('route', '{"input":5,"input":{"blocking":true}}')).toEqual(LOCAL);
    expect(await ask('route', '{"input":{"blocking":true},"input":5}')).toEqual(refused('INVALID_REQUEST'));
  });

  it('keeps __proto__ an ordinary key', () => {
    const request = parseRequest(Buffer.from('{"__proto__":{"input":1}}'));
    expect(Object.keys(request)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(request)).toBe(Object.prototype);
  });

  it.each([5000, 500_000])('does not mind %d levels in a fact that nobody reads', async (levels) => {
    const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(
      await ask('route', `{"deep":${deep},"input":{"blocking":true,"deep":${levels < 10_000 ? deep : 1}}}`),
    ).toEqual(LOCAL);
  });

  it('ends with an ordinary answer where somebody reads them', async () => {
    const deep = `${'{"a":'.repeat(100_000)}"sk-12345678"${'}'.repeat(100_000)}`;
    expect(await ask('telemetry', `{"event":{"note":${deep}}}`)).toEqual(refused('PRIVATE_TELEMETRY'));
    expect(await ask('capsule', `{"capsule":${deep}}`)).toEqual(refused('CAPSULE_SCHEMA_INVALID'));
  });
});

describe('refusals (§1.1, §1.2)', () => {
  it('have codes of their own, and sentences that hold nothing of a request', () => {
    for (const [code, message] of Object.entries(MESSAGES)) {
      expect(code).toMatch(/^[A-Z0-9_]{3,64}$/);
      expect(message).toMatch(/^[A-Z][^.]*\.$/);
    }
    expect(new Set(Object.values(MESSAGES)).size).toBe(Object.keys(MESSAGES).length);
    expect(Object.keys(MESSAGES)).toHaveLength(22);
  });

  it('know no names of the platform', () => {
    const surroundings = {
      ...SURROUNDINGS,
      workspace: (): never => {
        throw Object.assign(new Error('EACCES: /home/ada'), { code: 'EACCES' });
      },
    };
    const answer = answerOperation('route', { input: { owned_files: ['a'] } }, surroundings);
    expect(answer).toEqual(refused('INVALID_REQUEST'));
  });

  it('are errors with a code', () =>
    expect(new ContextRefusal('INVALID_SEVERITY')).toMatchObject({
      code: 'INVALID_SEVERITY',
      retryable: false,
    }));
});
