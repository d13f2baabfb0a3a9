import { artifactIdSchema, type JsonValue } from '@palimpsest/contracts';
import { isErased, type NewArtifact } from '../../ports/artifact-store.js';
import { KNOWN_KEY_TENANT, MALFORMED_IDS, message, putOne, type OpenCase } from './harness.js';

const KEPT_EXACTLY: readonly (readonly [string, JsonValue])[] = [
  ['the empty text', ''],
  ['NUL', 'a\u0000b'],
  ['the literal spelling of NUL', 'a\\u0000b'],
  ['line and paragraph separators, a byte order mark', '\u2028\u2029\ufeff'],
  ['astral planes and joined emoji', '𝒳👩‍👩‍👧‍👦🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
  ['composed and decomposed text apart', ['é', 'e\u0301']],
  ['keys that mean something to JavaScript', JSON.parse('{"__proto__":{"a":1},"constructor":2}')],
  ['numbers at the edges', [0, 5e-324, 1.7976931348623157e308, 9007199254740993, 0.1]],
  ['null, booleans and empty containers', { a: null, b: [true, false], c: {}, d: [] }],
];

const REFUSED: readonly (readonly [string, unknown])[] = [
  ['a lone high surrogate', 'cut \ud83d'],
  ['a lone low surrogate', '\udc00 cut'],
  ['a reversed pair', '\ude00\ud83d'],
  ['a lone surrogate in a key', { '\ud800': 1 }],
  ['an infinite number', { n: Number.POSITIVE_INFINITY }],
  ['no number', [Number.NaN]],
  ['undefined', undefined],
  ['endless nesting', JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)],
];

/** Of `message('hello')` for {@link KNOWN_KEY_TENANT}. */
const ID_OF_HELLO = 'art_l2hfHfMXJ6oIPaiIdUpKgEnCBrciXDiJ';

export function putAndGetCases(open: OpenCase): void {
  it('answers opaque ids in the order given, the same for the same content', async () => {
    const { store, tenantId } = open();
    const batch = [message('one'), message('two'), message('one')];
    const ids = await store.put(tenantId, 'run-1', batch);
    expect(ids).toHaveLength(3);
    expect(ids.every((id) => artifactIdSchema.safeParse(id).success)).toBe(true);
    expect(ids[2]).toBe(ids[0]);
    expect(ids[1]).not.toBe(ids[0]);
    expect(await store.put(tenantId, 'run-2', batch)).toEqual(ids);
  });

  it('answers the id that the key, the type and the content determine', async () => {
    const { store } = open();
    expect(await store.put(KNOWN_KEY_TENANT, 'run', [message('hello')])).toEqual([ID_OF_HELLO]);
  });

  it('tells equal contents of two origins apart, and finds the same origin again', async () => {
    const { store, tenantId } = open();
    const said = (origin: string): NewArtifact => ({ ...message('ok'), origin });
    const [first, second, again] = await store.put(tenantId, 'run-1', [said('a'), said('b'), said('a')]);
    expect(second).not.toBe(first);
    expect(again).toBe(first);
    await store.erase(tenantId, String(first));
    const readings = await store.get(tenantId, [String(first), String(second)]);
    expect([first, second].map((id) => 'erased' in (readings.get(String(id)) ?? {}))).toEqual([true, false]);
  });

  it('gives content an id by value and type, whatever the order of keys', async () => {
    const { store, tenantId } = open();
    const artifacts: readonly NewArtifact[] = [
      { type: 'message', content: { role: 'user', text: 'same' } },
      { type: 'message', content: { text: 'same', role: 'user' } },
      { type: 'context.rendering', content: { role: 'user', text: 'same' } },
    ];
    const [one, reordered, otherType] = await store.put(tenantId, 'run', artifacts);
    expect(reordered).toBe(one);
    expect(otherType).not.toBe(one);
  });

  it('keeps tenants apart: other ids, and nothing of the other is found', async () => {
    const mine = open();
    const { store, tenantId } = mine;
    const theirs = { ...mine, tenantId: `${tenantId}-other` };
    const id = await putOne(mine, 'run', message('shared words'));
    expect(await putOne(theirs, 'run', message('shared words'))).not.toBe(id);
    expect((await store.get(theirs.tenantId, [id])).size).toBe(0);
    expect(await store.getForRun(theirs.tenantId, 'run', id)).toBeUndefined();
  });

  it('reads in the order asked, each id once, and leaves out what is absent', async () => {
    const { store, tenantId } = open();
    const [a, b] = (await store.put(tenantId, 'run', [message('a'), message('b')])) as [string, string];
    const absent = `art_${'A'.repeat(32)}`;
    const found = await store.get(tenantId, [b, ...MALFORMED_IDS, absent, a, b]);
    expect([...found.keys()]).toEqual([b, a]);
    const reading = found.get(a);
    expect(reading).toEqual({
      artifactId: a,
      type: 'message',
      content: { role: 'user', text: 'a' },
      createdAt: expect.any(String),
    });
    if (reading && !isErased(reading))
      expect(new Date(reading.createdAt).toISOString()).toBe(reading.createdAt);
    expect((await store.get(tenantId, [])).size).toBe(0);
    expect((await store.get('NO SUCH TENANT\u0000', [a])).size).toBe(0);
  });

  it('takes an empty put, of a new tenant, too', async () => {
    const { store, tenantId } = open();
    expect(await store.put(tenantId, 'run', [])).toEqual([]);
  });

  it.each(KEPT_EXACTLY)('keeps exactly: %s', async (_what, content) => {
    const test = open();
    const id = await putOne(test, 'run', { type: 'message', content });
    expect(await test.store.getForRun(test.tenantId, 'run', id)).toMatchObject({ artifactId: id });
    expect((await test.store.get(test.tenantId, [id])).get(id)).toHaveProperty('content', content);
  });

  it.each(REFUSED)('refuses, with nothing stored: %s', async (_what, content) => {
    const test = open();
    const good = message('beside a bad one');
    const put = test.store.put(test.tenantId, 'run', [
      good,
      { type: 'message', content: content as JsonValue },
    ]);
    await expect(put).rejects.toMatchObject({ code: 'validation_error', retryable: false });
    const id = await putOne(test, 'other-run', good);
    expect(await test.store.getForRun(test.tenantId, 'run', id)).toBeUndefined();
  });

  it('refuses malformed tenants, runs, types and sources', async () => {
    const { store, tenantId } = open();
    const refused = { code: 'validation_error' };
    for (const bad of ['', 'a/b', 'nul\u0000', '\ud800', 'x'.repeat(97)]) {
      await expect(store.put(bad, 'run', [message('x')])).rejects.toMatchObject(refused);
      await expect(store.put(tenantId, bad, [message('x')])).rejects.toMatchObject(refused);
      await expect(store.linkFork(tenantId, bad, 'run')).rejects.toMatchObject(refused);
      await expect(store.linkFork(tenantId, 'run', bad)).rejects.toMatchObject(refused);
    }
    const type = 'secret' as 'message';
    await expect(store.put(tenantId, 'run', [{ type, content: 'x' }])).rejects.toMatchObject(refused);
    const derivedFrom = ['evt-run-0'];
    await expect(store.put(tenantId, 'run', [{ ...message('x'), derivedFrom }])).rejects.toMatchObject(
      refused,
    );
  });
}

export function sizeAndRaceCases(open: OpenCase): void {
  it('takes and returns megabytes of multibyte text', async () => {
    const { store, tenantId } = open();
    const texts = ['é', '中', '👩‍👩‍👧'].map((piece) => piece.repeat(Math.ceil(2 ** 20 / piece.length)));
    const ids = await store.put(tenantId, 'run', texts.map(message));
    const found = await store.get(tenantId, ids);
    ids.forEach((id, index) => {
      const reading = found.get(id);
      const same =
        reading && !isErased(reading) && (reading.content as { text: string }).text === texts[index];
      expect(same).toBe(true);
    });
  });

  it('refuses an artifact above 16 MiB, and lives', async () => {
    const test = open();
    const large = message('é'.repeat(8 * 2 ** 20));
    const put = test.store.put(test.tenantId, 'run', [large]);
    await expect(put).rejects.toMatchObject({ code: 'payload_too_large', retryable: false });
    expect(await putOne(test, 'run', message('still here'))).toMatch(/^art_/);
  });

  it('stores a thousand at once, and answers the same to puts that race', async () => {
    const { store, tenantId } = open();
    const batch = Array.from({ length: 1000 }, (_, index) => message(`turn ${index % 900} of a long run`));
    const [forward, backward] = await Promise.all([
      store.put(tenantId, 'run-a', batch),
      store.put(tenantId, 'run-b', batch.toReversed()),
    ]);
    expect(backward.toReversed()).toEqual(forward);
    expect((await store.get(tenantId, forward)).size).toBe(900);
    for (const runId of ['run-a', 'run-b'])
      expect(await store.getForRun(tenantId, runId, forward[899] ?? '')).toMatchObject({ type: 'message' });
  });

  it('gives a new tenant one key, however many come first', async () => {
    const test = open();
    const ids = await Promise.all(Array.from({ length: 8 }, () => putOne(test, 'run', message('first'))));
    expect(new Set(ids).size).toBe(1);
  });

  it('knows damaged content from any other failure', async () => {
    const test = open();
    const [good, bad] = (await test.store.put(test.tenantId, 'run', [message('good'), message('bad')])) as [
      string,
      string,
    ];
    await test.damage(test.tenantId, bad);
    const corrupt = { code: 'internal_error', details: { artifactId: bad, reason: 'artifact_corrupt' } };
    await expect(test.store.get(test.tenantId, [good, bad])).rejects.toMatchObject(corrupt);
    await expect(test.store.getForRun(test.tenantId, 'run', bad)).rejects.toMatchObject(corrupt);
    expect((await test.store.get(test.tenantId, [good])).size).toBe(1);
  });
}
