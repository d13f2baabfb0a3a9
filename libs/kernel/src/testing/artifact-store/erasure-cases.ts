import { message, putOne, summary, type ArtifactStoreCase, type OpenCase } from './harness.js';

async function erasedAmong(
  { store, tenantId }: ArtifactStoreCase,
  ids: readonly string[],
): Promise<readonly boolean[]> {
  const found = await store.get(tenantId, ids);
  return ids.map((id) => JSON.stringify(found.get(id)) === JSON.stringify({ artifactId: id, erased: true }));
}

export function erasureCases(open: OpenCase): void {
  it('erases an artifact for every reader and leaves the others', async () => {
    const test = open();
    const { store, tenantId } = test;
    const [gone, stays] = (await store.put(tenantId, 'run', [message('gone'), message('stays')])) as [
      string,
      string,
    ];
    await store.linkFork(tenantId, 'fork', 'run');
    expect(await store.erase(tenantId, gone)).toEqual([gone]);
    expect(await erasedAmong(test, [gone, stays])).toEqual([true, false]);
    expect(await store.getForRun(tenantId, 'fork', gone)).toEqual({ artifactId: gone, erased: true });
    expect(await store.getForRun(tenantId, 'stranger', gone)).toBeUndefined();
  });

  it('answers the same when asked again, nothing for what is unknown or of another tenant', async () => {
    const test = open();
    const { store, tenantId } = test;
    const id = await putOne(test, 'run', message('x'));
    expect(await store.erase(`${tenantId}-other`, id)).toEqual([]);
    expect(await store.erase(tenantId, `art_${'A'.repeat(32)}`)).toEqual([]);
    expect(await erasedAmong(test, [id])).toEqual([false]);
    expect(await store.erase(tenantId, id)).toEqual([id]);
    expect(await store.erase(tenantId, id)).toEqual([id]);
  });

  it('erases what is damaged, with what was derived from it', async () => {
    const test = open();
    const { store, tenantId } = test;
    const damaged = await putOne(test, 'run', message('damaged'));
    const derived = await putOne(test, 'run', summary('of it', [damaged]));
    await test.damage(tenantId, damaged);
    await expect(store.get(tenantId, [damaged])).rejects.toMatchObject({ code: 'internal_error' });
    expect(await store.erase(tenantId, damaged)).toEqual([damaged, derived]);
    expect(await erasedAmong(test, [damaged, derived])).toEqual([true, true]);
  });

  it('keeps erased content erased when it is put again, readable as erased for the new run', async () => {
    const test = open();
    const id = await putOne(test, 'run', message('x'));
    await test.store.erase(test.tenantId, id);
    expect(await putOne(test, 'later', message('x'))).toBe(id);
    expect(await test.store.getForRun(test.tenantId, 'later', id)).toEqual({ artifactId: id, erased: true });
  });

  it('erases all that was derived, through summaries of summaries, in diamonds, across runs', async () => {
    const test = open();
    const { store, tenantId } = test;
    const [a, b, c] = (await store.put(tenantId, 'run', ['a', 'b', 'c'].map(message))) as [
      string,
      string,
      string,
    ];
    const ab = await putOne(test, 'run', summary('a b', [a, b]));
    const bc = await putOne(test, 'fork', summary('b c', [b, c]));
    const both = await putOne(test, 'fork', summary('a b c', [ab, bc]));
    const cut: string = await putOne(test, 'run', {
      type: 'context.rendering',
      content: 'a…',
      derivedFrom: [a],
    });
    const erased = await store.erase(tenantId, a);
    expect(erased[0]).toBe(a);
    expect(erased.toSorted()).toEqual([a, ab, both, cut].toSorted());
    expect(await erasedAmong(test, [a, ab, both, cut, b, c, bc])).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('stores as erased what derives from erased content, with all that derives from it', async () => {
    const test = open();
    const { store, tenantId } = test;
    const [gone, kept] = (await store.put(tenantId, 'run', [message('gone'), message('kept')])) as [
      string,
      string,
    ];
    const shared = await putOne(test, 'run', summary('shared words', [kept]));
    const above = await putOne(test, 'run', summary('above', [shared]));
    await store.erase(tenantId, gone);
    const late = await putOne(test, 'run', summary('late', [gone, kept]));
    expect(await erasedAmong(test, [late, shared, above])).toEqual([true, false, false]);
    expect(await putOne(test, 'run', summary('shared words', [gone]))).toBe(shared);
    expect(await erasedAmong(test, [shared, above, kept])).toEqual([true, true, false]);
  });

  it('refuses to derive from what is not there, with nothing stored', async () => {
    const test = open();
    const { store, tenantId } = test;
    const orphan = summary('orphan', [`art_${'A'.repeat(32)}`]);
    const put = store.put(tenantId, 'run', [message('beside'), orphan]);
    await expect(put).rejects.toMatchObject({ code: 'validation_error' });
    const id = await putOne(test, 'other', message('beside'));
    expect(await store.getForRun(tenantId, 'run', id)).toBeUndefined();
  });

  it('leaves nothing derived unerased when erasing and deriving race', async () => {
    const test = open();
    const { store, tenantId } = test;
    for (let round = 0; round < 10; round += 1) {
      const source = await putOne(test, 'run', message(`source ${round}`));
      const first = await putOne(test, 'run', summary(`first ${round}`, [source]));
      const derived = Array.from({ length: 6 }, (_, n) =>
        summary(`second ${round}.${n}`, [n % 2 ? first : source]),
      );
      const [, ...ids] = await Promise.all([
        store.erase(tenantId, source),
        ...derived.map((artifact) => putOne(test, 'run', artifact)),
      ]);
      expect(await erasedAmong(test, [source, first, ...ids])).toEqual(Array(8).fill(true));
    }
  });
}
