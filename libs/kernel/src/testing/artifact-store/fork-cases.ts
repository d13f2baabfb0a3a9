import { MALFORMED_IDS, message, putOne, type OpenCase } from './harness.js';

export function forkCases(open: OpenCase): void {
  it('answers a run only what the run refers to', async () => {
    const test = open();
    const id = await putOne(test, 'run-1', message('mine'));
    expect(await test.store.getForRun(test.tenantId, 'run-1', id)).toMatchObject({ artifactId: id });
    expect(await test.store.getForRun(test.tenantId, 'run-2', id)).toBeUndefined();
    await putOne(test, 'run-2', message('mine'));
    expect(await test.store.getForRun(test.tenantId, 'run-2', id)).toMatchObject({ artifactId: id });
  });

  it('says of each run whether it refers to an artifact, erased or damaged as that may be', async () => {
    const test = open();
    const { store, tenantId } = test;
    const [erased, damaged] = (await store.put(tenantId, 'source', [
      message('erased'),
      message('damaged'),
    ])) as [string, string];
    await store.linkFork(tenantId, 'fork', 'source');
    await store.erase(tenantId, erased);
    await test.damage(tenantId, damaged);
    for (const id of [erased, damaged]) {
      expect(await store.refersTo(tenantId, 'source', id)).toBe(true);
      expect(await store.refersTo(tenantId, 'fork', id)).toBe(true);
      expect(await store.refersTo(tenantId, 'stranger', id)).toBe(false);
      expect(await store.refersTo(`${tenantId}-other`, 'source', id)).toBe(false);
    }
    expect(await store.refersTo(tenantId, 'source', `art_${'A'.repeat(32)}`)).toBe(false);
  });

  it('finds nothing under malformed ids', async () => {
    const test = open();
    const id = await putOne(test, 'run', message('x'));
    for (const malformed of MALFORMED_IDS) {
      expect(await test.store.getForRun(test.tenantId, 'run', malformed)).toBeUndefined();
      expect(await test.store.getForRun(test.tenantId, malformed || '/', id)).toBeUndefined();
      expect(await test.store.refersTo(test.tenantId, 'run', malformed)).toBe(false);
      expect(await test.store.refersTo(test.tenantId, malformed || '/', id)).toBe(false);
      expect(await test.store.erase(test.tenantId, malformed)).toEqual([]);
    }
  });

  it('lets a fork, and a fork of it, read what their source refers to, and never the reverse', async () => {
    const test = open();
    const { store, tenantId } = test;
    const early = await putOne(test, 'source', message('early'));
    await store.linkFork(tenantId, 'fork', 'source');
    await store.linkFork(tenantId, 'fork', 'source');
    await store.linkFork(tenantId, 'fork-of-fork', 'fork');
    const own = await putOne(test, 'fork', message('own'));
    expect(await store.getForRun(tenantId, 'fork', early)).toMatchObject({ artifactId: early });
    expect(await store.getForRun(tenantId, 'fork-of-fork', early)).toMatchObject({ artifactId: early });
    expect(await store.getForRun(tenantId, 'fork-of-fork', own)).toMatchObject({ artifactId: own });
    expect(await store.getForRun(tenantId, 'source', own)).toBeUndefined();
  });

  it('does not follow a link of another tenant, and ends where links go in a circle', async () => {
    const test = open();
    const { store, tenantId } = test;
    const id = await putOne(test, 'source', message('x'));
    await store.linkFork(`${tenantId}-other`, 'fork', 'source');
    expect(await store.getForRun(tenantId, 'fork', id)).toBeUndefined();
    await store.linkFork(tenantId, 'a', 'b');
    await store.linkFork(tenantId, 'b', 'a');
    expect(await store.getForRun(tenantId, 'a', id)).toBeUndefined();
  });
}
