import { MALFORMED_IDS, message, putOne, summary, type ArtifactStoreCase, type OpenCase } from './harness.js';

/** Which of these artifacts are erased, in their order. */
async function erasedAmong(
  { store, tenantId }: ArtifactStoreCase,
  ids: readonly string[],
): Promise<readonly boolean[]> {
  const found = await store.get(tenantId, ids);
  return ids.map((id) => JSON.stringify(found.get(id)) === JSON.stringify({ artifactId: id, erased: true }));
}

export function runErasureCases(open: OpenCase): void {
  givingUpCases(open);
  sharingCases(open);
  erasedOfCases(open);
}

function givingUpCases(open: OpenCase): void {
  it('erases what a run stored, and nothing of another run', async () => {
    const test = open();
    const { store, tenantId } = test;
    const ids = await store.put(tenantId, 'run', [message('a'), message('b')]);
    const other = await putOne(test, 'other', message('c'));
    expect(await store.eraseRun(tenantId, 'run')).toEqual({ erased: 2, kept: 0 });
    expect(await erasedAmong(test, [...ids, other])).toEqual([true, true, false]);
    expect(await store.getForRun(tenantId, 'run', ids[0] ?? '')).toEqual({
      artifactId: ids[0],
      erased: true,
    });
  });

  it('erases nothing when asked again, nor for who stored nothing', async () => {
    const test = open();
    const { store, tenantId } = test;
    await putOne(test, 'run', message('a'));
    expect(await store.eraseRun(tenantId, 'run')).toEqual({ erased: 1, kept: 0 });
    const nothing = { erased: 0, kept: 0 };
    expect(await store.eraseRun(tenantId, 'run')).toEqual(nothing);
    expect(await store.eraseRun(tenantId, 'nobody')).toEqual(nothing);
    expect(await store.eraseRun(`${tenantId}-other`, 'run')).toEqual(nothing);
    for (const malformed of MALFORMED_IDS)
      expect(await store.eraseRun(tenantId, malformed || '/')).toEqual(nothing);
  });

  it('erases with it what was derived from it, whoever stored that', async () => {
    const test = open();
    const { store, tenantId } = test;
    const said = await putOne(test, 'run', message('a'));
    const derived = await putOne(test, 'other', summary('of a', [said]));
    expect(await store.eraseRun(tenantId, 'run')).toEqual({ erased: 1, kept: 0 });
    expect(await erasedAmong(test, [said, derived])).toEqual([true, true]);
  });

  it('leaves a run what it stores afterwards', async () => {
    const test = open();
    const { store, tenantId } = test;
    await putOne(test, 'run', message('before'));
    await store.eraseRun(tenantId, 'run');
    const after = await putOne(test, 'run', message('after'));
    expect(await erasedAmong(test, [after])).toEqual([false]);
    expect(await store.eraseRun(tenantId, 'run')).toEqual({ erased: 1, kept: 0 });
  });

  it('does not count what was erased before, by itself or with its source', async () => {
    const test = open();
    const { store, tenantId } = test;
    const [gone] = await store.put(tenantId, 'source', [message('gone'), message('stays')]);
    await store.erase(tenantId, gone ?? '');
    await store.linkFork(tenantId, 'fork', 'source');
    expect(await store.eraseRun(tenantId, 'source')).toEqual({ erased: 0, kept: 1 });
    expect(await store.eraseRun(tenantId, 'source')).toEqual({ erased: 0, kept: 1 });
    await putOne(test, 'fork', message('own'));
    expect(await store.eraseRun(tenantId, 'fork')).toEqual({ erased: 2, kept: 0 });
    expect(await store.eraseRun(tenantId, 'fork')).toEqual({ erased: 0, kept: 0 });
  });
}

function sharingCases(open: OpenCase): void {
  it('keeps what another run stored as well, until the last of them gives it up', async () => {
    const test = open();
    const { store, tenantId } = test;
    const shared = await putOne(test, 'one', message('same'));
    await putOne(test, 'two', message('same'));
    expect(await store.eraseRun(tenantId, 'one')).toEqual({ erased: 0, kept: 1 });
    expect(await erasedAmong(test, [shared])).toEqual([false]);
    expect(await store.eraseRun(tenantId, 'two')).toEqual({ erased: 1, kept: 0 });
    expect(await store.eraseRun(tenantId, 'one')).toEqual({ erased: 0, kept: 0 });
  });

  it('is in use again by a run that stores it again', async () => {
    const test = open();
    const { store, tenantId } = test;
    const shared = await putOne(test, 'one', message('same'));
    await putOne(test, 'two', message('same'));
    await store.eraseRun(tenantId, 'one');
    await putOne(test, 'one', message('same'));
    expect(await store.eraseRun(tenantId, 'two')).toEqual({ erased: 0, kept: 1 });
    expect(await erasedAmong(test, [shared])).toEqual([false]);
  });

  it('keeps what a fork, or a fork of a fork, reads of its source', async () => {
    const test = open();
    const { store, tenantId } = test;
    const said = await putOne(test, 'source', message('said'));
    await store.linkFork(tenantId, 'fork', 'source');
    const own = await putOne(test, 'fork', message('own'));
    await store.linkFork(tenantId, 'fork-of-fork', 'fork');
    expect(await store.eraseRun(tenantId, 'source')).toEqual({ erased: 0, kept: 1 });
    expect(await store.eraseRun(tenantId, 'fork')).toEqual({ erased: 0, kept: 2 });
    expect(await store.getForRun(tenantId, 'fork-of-fork', said)).toHaveProperty('content');
    expect(await store.eraseRun(tenantId, 'fork-of-fork')).toEqual({ erased: 2, kept: 0 });
    expect(await erasedAmong(test, [said, own])).toEqual([true, true]);
  });

  it('takes nothing from a source, nor from its other forks', async () => {
    const test = open();
    const { store, tenantId } = test;
    const said = await putOne(test, 'source', message('said'));
    await store.linkFork(tenantId, 'one', 'source');
    await store.linkFork(tenantId, 'two', 'source');
    const own = await putOne(test, 'one', message('own'));
    expect(await store.eraseRun(tenantId, 'one')).toEqual({ erased: 1, kept: 0 });
    expect(await erasedAmong(test, [said, own])).toEqual([false, true]);
    expect(await store.eraseRun(tenantId, 'source')).toEqual({ erased: 0, kept: 1 });
    expect(await store.eraseRun(tenantId, 'two')).toEqual({ erased: 1, kept: 0 });
    expect(await erasedAmong(test, [said])).toEqual([true]);
  });

  it('is not undone by a fork that is linked again, and ends where links go in a circle', async () => {
    const test = open();
    const { store, tenantId } = test;
    const said = await putOne(test, 'source', message('said'));
    await store.linkFork(tenantId, 'fork', 'source');
    await store.eraseRun(tenantId, 'fork');
    await store.linkFork(tenantId, 'fork', 'source');
    await store.linkFork(tenantId, 'source', 'fork');
    expect(await store.eraseRun(tenantId, 'source')).toEqual({ erased: 1, kept: 0 });
    expect(await erasedAmong(test, [said])).toEqual([true]);
  });

  it('goes at once where the artifact itself is named, through whichever run it was found', async () => {
    const test = open();
    const { store, tenantId } = test;
    const said = await putOne(test, 'source', message('said'));
    await store.linkFork(tenantId, 'fork', 'source');
    expect(await store.erase(tenantId, said)).toEqual([said]);
    for (const run of ['source', 'fork'])
      expect(await store.getForRun(tenantId, run, said)).toEqual({ artifactId: said, erased: true });
  });

  it('leaves content used by nobody in no race of its last users', async () => {
    const test = open();
    const { store, tenantId } = test;
    for (let round = 0; round < 10; round += 1) {
      const said = await putOne(test, `source ${round}`.replace(' ', '-'), message(`said ${round}`));
      const forks = Array.from({ length: 4 }, (_, n) => `fork-${round}-${n}`);
      await Promise.all(forks.map((fork) => store.linkFork(tenantId, fork, `source-${round}`)));
      await Promise.all([`source-${round}`, ...forks].map((run) => store.eraseRun(tenantId, run)));
      expect(await erasedAmong(test, [said])).toEqual([true]);
    }
  });
}

function erasedOfCases(open: OpenCase): void {
  it('names what was erased of a run and of its sources, and of nobody else', async () => {
    const test = open();
    const { store, tenantId } = test;
    const [gone, stays] = (await store.put(tenantId, 'source', [message('gone'), message('stays')])) as [
      string,
      string,
    ];
    const derived = await putOne(test, 'source', summary('both', [gone, stays]));
    await store.linkFork(tenantId, 'fork', 'source');
    const own = await putOne(test, 'fork', message('own'));
    expect(await store.erasedOf(tenantId, 'fork')).toEqual([]);
    await store.erase(tenantId, gone);
    await store.erase(tenantId, own);
    expect(await store.erasedOf(tenantId, 'source')).toEqual([gone, derived].sort());
    expect(await store.erasedOf(tenantId, 'fork')).toEqual([gone, derived, own].sort());
    expect(await store.erasedOf(tenantId, 'stranger')).toEqual([]);
    expect(await store.erasedOf(`${tenantId}-other`, 'fork')).toEqual([]);
    for (const malformed of MALFORMED_IDS)
      expect(await store.erasedOf(tenantId, malformed || '/')).toEqual([]);
  });
}
