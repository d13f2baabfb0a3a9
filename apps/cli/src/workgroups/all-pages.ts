import type { LineageView, OwnedPath, RegistryApi } from '../client/registry-api.js';

type Page<Item> = { readonly items: readonly Item[]; readonly next?: string | undefined };

/** Live ones first, each part oldest first. */
export async function allLineages(
  registry: Pick<RegistryApi, 'listLineages'>,
  workgroupId: string,
  evicted: boolean,
): Promise<readonly LineageView[]> {
  const views = await allPages(async (after) => {
    const { lineages, next } = await registry.listLineages(workgroupId, evicted, after);
    return { items: lineages, next };
  });
  return views.sort((one, other) => isGone(one) - isGone(other) || compare(createdAt(one), createdAt(other)));
}

/** By path. */
export function allOwnedPaths(
  registry: Pick<RegistryApi, 'ownedPaths'>,
  workgroupId: string,
): Promise<readonly OwnedPath[]> {
  return allPages(async (after) => {
    const { paths, next } = await registry.ownedPaths(workgroupId, after);
    return { items: paths, next };
  });
}

async function allPages<Item>(page: (after: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  const all: Item[] = [];
  let after: string | undefined;
  do {
    const { items, next } = await page(after);
    all.push(...items);
    after = next;
  } while (after !== undefined);
  return all;
}

function isGone({ status }: LineageView): number {
  return status === 'evicted' ? 1 : 0;
}

function createdAt({ record }: LineageView): string {
  const at = record['created_at'];
  return typeof at === 'string' ? at : '';
}

/** Times are all written alike, so that texts compare as they do. */
function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
