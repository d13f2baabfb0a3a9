import type { ArtifactReference } from '../../ports/artifact-store.js';
import { MALFORMED_IDS, message, putOne, summary, type OpenCase } from './harness.js';

function summaryRef(artifactId: string): ArtifactReference {
  return { artifactId, type: 'context.summary' };
}

export function unreadableCases(open: OpenCase): void {
  it('finds nothing wrong with what is there, whoever stored it', async () => {
    const test = open();
    const { store, tenantId } = test;
    const one = await putOne(test, 'run', summary('one', []));
    const other = await putOne(test, 'other', message('other'));
    const references = [summaryRef(one), { artifactId: other, type: 'message' }, summaryRef(one)] as const;
    expect(await store.unreadable(tenantId, references)).toEqual([]);
    expect(await store.unreadable(tenantId, [])).toEqual([]);
  });

  it('finds what is absent, erased, of another type or altered by one byte, in the order given', async () => {
    const test = open();
    const { store, tenantId } = test;
    const said = await putOne(test, 'run', message('source'));
    const erased = await putOne(test, 'run', summary('erased with its source', [said]));
    const [good, altered] = await store.put(tenantId, 'run', [summary('good', []), summary('bad', [])]);
    const typed = await putOne(test, 'run', message('no summary'));
    await store.erase(tenantId, said);
    await test.damage(tenantId, altered ?? '');
    const absent = `art_${'A'.repeat(32)}`;
    const asked = [altered, absent, good, erased, ...MALFORMED_IDS, typed, absent].map((id) =>
      summaryRef(id ?? ''),
    );
    expect(await store.unreadable(tenantId, asked)).toEqual([
      altered,
      absent,
      erased,
      ...MALFORMED_IDS,
      typed,
    ]);
  });

  it('looks at all of many, and never at those of another tenant', async () => {
    const test = open();
    const { store, tenantId } = test;
    const texts = Array.from({ length: 1100 }, (_, place) => summary(`text ${place}`, []));
    const ids = await store.put(tenantId, 'run', texts);
    const bad = [ids[0], ids[499], ids[500], ids[1099]].map((id) => id ?? '');
    for (const id of bad) await test.damage(tenantId, id);
    expect(await store.unreadable(tenantId, ids.map(summaryRef))).toEqual(bad);
    expect(await store.unreadable(`${tenantId}-other`, ids.map(summaryRef))).toEqual(ids);
    expect(await store.unreadable('NO SUCH TENANT\u0000', ids.slice(0, 2).map(summaryRef))).toEqual(
      ids.slice(0, 2),
    );
  });
}
