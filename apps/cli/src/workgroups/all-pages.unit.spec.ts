import type { LineageView, OwnedPath } from '../client/registry-api.js';
import { allLineages, allOwnedPaths } from './all-pages.js';

const AT = '2031-03-10T12:00:00.000Z';

function lineage(lineageId: string, minute: number, status: LineageView['status'] = 'held'): LineageView {
  return {
    lineageId,
    workgroupId: 'wg-2',
    status,
    isWriter: false,
    ownedPaths: [],
    grant: 'resume',
    depth: 0,
    reconcileRequired: false,
    record: { created_at: `2031-03-10T12:${String(minute).padStart(2, '0')}:00.000Z` },
  };
}

/** A page holds two; `next` is the name of its last. */
function pageOf<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  after = '',
): [Item[], { next?: string }] {
  const left = items.filter((item) => nameOf(item) > after);
  const page = left.slice(0, 2);
  const last = page.at(-1);
  return [page, left.length > 2 && last !== undefined ? { next: nameOf(last) } : {}];
}

describe('all pages', () => {
  it.each([0, 1, 2, 3, 4, 5])('of %i lineages are read, the live ones first, then by age', async (count) => {
    const all = [
      lineage('a', 4),
      lineage('b', 1, 'evicted'),
      lineage('c', 2),
      lineage('d', 0, 'evicted'),
      lineage('e', 1, 'idle'),
    ].slice(0, count);
    const asked: unknown[] = [];
    const listLineages = async (workgroupId: string, evicted: boolean, after?: string) => {
      asked.push([workgroupId, evicted, after]);
      const [lineages, next] = pageOf(all, ({ lineageId }) => lineageId, after);
      return { workgroupId, lineages, ...next };
    };
    const read = await allLineages({ listLineages }, 'wg-2', true);
    const order = ['e', 'c', 'a', 'd', 'b'].filter((id) => all.some(({ lineageId }) => lineageId === id));
    expect(read.map(({ lineageId }) => lineageId)).toEqual(order);
    const places = [undefined, 'b', 'd'].slice(0, Math.max(1, Math.ceil(count / 2)));
    expect(asked).toEqual(places.map((after) => ['wg-2', true, after]));
  });

  it('of owned paths are read', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'].map((path): OwnedPath => ({
      path,
      lineageId: 'l',
      role: 'builder',
      phase: '2A',
      fence: 1,
      expiresAt: AT,
    }));
    const ownedPaths = async (workgroupId: string, after?: string) => {
      const [paths, next] = pageOf(all, ({ path }) => path, after);
      return { workgroupId, paths, ...next };
    };
    expect(await allOwnedPaths({ ownedPaths }, 'wg-2')).toEqual(all);
  });
});
