import {
  delegationListSchema,
  lineageListSchema,
  ownedPathsSchema,
  workgroupEventsSchema,
} from '@palimpsest/contracts/registry';
import type { WorkgroupEvent } from '../domain/workgroup/workgroup-events.js';
import { MOST_LINEAGES } from '../domain/workgroup/workgroup.js';
import { AskedRegistry } from '../testing/asked-registry.js';
import { AskedWorkgroup, KEY as DELEGATED_IN } from '../testing/asked-workgroup.js';
import { TENANT, WORKGROUP } from '../testing/lineage-records.js';
import { longestPaths, longestRegistered, widestRegistered } from '../testing/longest-lineages.js';
import { evicted, oneOfEach, opened, registered } from '../testing/sample-events.js';
import { PAGE_BYTES } from './bounded-page.js';

const KEY = { tenantId: TENANT, workgroupId: WORKGROUP };

const idAt = (place: number): string => `l-${String(place).padStart(3, '0')}`;
const IDS = Array.from({ length: MOST_LINEAGES }, (_, place) => idAt(place));

type Page<Item> = { readonly items: readonly Item[]; readonly next?: string | number | undefined };

/** All pages, `between` two of them whatever happens meanwhile. */
async function allPages<Item>(
  page: (after: string | number | undefined) => Promise<Page<Item>>,
  between: (pages: number) => Promise<void> = async () => undefined,
): Promise<readonly (readonly Item[])[]> {
  const pages: (readonly Item[])[] = [];
  let after: string | number | undefined;
  do {
    const { items, next } = await page(after);
    pages.push(items);
    after = next;
    await between(pages.length);
  } while (after !== undefined);
  return pages;
}

function requireBounded(answer: object): void {
  expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(PAGE_BYTES);
}

function lineagesOf(registry: AskedRegistry, wantsEvicted = false) {
  return async (after: string | number | undefined): Promise<Page<string>> => {
    const answer = await registry.ask('listLineages', { ...KEY, evicted: wantsEvicted, after });
    requireBounded(answer);
    const { lineages, next } = lineageListSchema.parse(answer);
    return { items: lineages.map(({ lineageId }) => lineageId), next };
  };
}

function pathsOf(registry: AskedRegistry) {
  return async (after: string | number | undefined): Promise<Page<string>> => {
    const answer = await registry.ask('ownedPaths', { ...KEY, after });
    requireBounded(answer);
    const { paths, next } = ownedPathsSchema.parse(answer);
    return { items: paths.map(({ path }) => path), next };
  };
}

async function record({ store }: AskedRegistry, ...events: readonly WorkgroupEvent[]): Promise<void> {
  await store.decide(KEY, () => ({ events, answer: {} }));
}

/** As many as there may be, in no order of their names, each as large as it may be. */
async function full(registeredAs = longestRegistered): Promise<AskedRegistry> {
  const registry = new AskedRegistry();
  const mixed = IDS.map((_, place) => idAt((place * 37) % MOST_LINEAGES));
  await record(registry, opened, ...mixed.map((id, place) => registeredAs(id, place + 2)));
  return registry;
}

describe('of a workgroup with all that it may hold', () => {
  it('lineages are told in pages that the bus carries, each once', async () => {
    const registry = await full();
    const pages = await allPages(lineagesOf(registry));
    expect(pages.flat()).toEqual(IDS);
    expect(pages.length).toBeGreaterThan(2);
    await record(registry, ...IDS.slice(0, 100).map(evicted));
    expect((await allPages(lineagesOf(registry))).flat()).toEqual(IDS.slice(100));
    expect((await allPages(lineagesOf(registry, true))).flat()).toEqual(IDS);
  });

  it('owned paths are, too', async () => {
    const pages = await allPages(pathsOf(await full(widestRegistered)));
    expect(pages.flat()).toEqual(IDS.flatMap(longestPaths).sort());
    expect(pages.length).toBeGreaterThan(2);
  });

  it('who stays is on one page, while others come and go', async () => {
    const registry = await full();
    const goes = IDS.filter((_, place) => place % 3 === 0);
    const stays = IDS.filter((id) => !goes.includes(id));
    const turn = async (pages: number): Promise<void> => {
      const gone = goes.slice(pages * 2 - 2, pages * 2).map(evicted);
      const came = [`a-${pages}`, `l-${pages}-more`, `z-${pages}`];
      await record(
        registry,
        ...gone,
        ...came.map((id, place) => longestRegistered(id, 1000 + pages * 3 + place)),
      );
    };
    const told = (
      await allPages(lineagesOf(registry), (pages) => (pages > 20 ? Promise.resolve() : turn(pages)))
    ).flat();
    expect(told.filter((id) => stays.includes(id))).toEqual(stays);
    expect(new Set(told).size).toBe(told.length);
  });

  it('a page goes on behind what is gone', async () => {
    const registry = new AskedRegistry();
    await record(
      registry,
      opened,
      ...['b', 'd', 'f'].map((id, place) => registered(id, place + 2)),
      evicted('d'),
    );
    const behind = async (after: string): Promise<unknown> => (await lineagesOf(registry)(after)).items;
    expect([await behind('a'), await behind('b'), await behind('d'), await behind('f')]).toEqual([
      ['b', 'f'],
      ['f'],
      ['f'],
      [],
    ]);
    const owned = async (after: string): Promise<unknown> => (await pathsOf(registry)(after)).items;
    expect([await owned('.'), await owned('src/b'), await owned('src/d'), await owned('t')]).toEqual([
      ['src/b', 'src/f'],
      ['src/f'],
      ['src/f'],
      [],
    ]);
  });

  it('what has left is told in any order of leaving, moved or not while it is told', async () => {
    const registry = await full();
    const leave = async (pages: number): Promise<void> => {
      const [id] = IDS.slice(pages * 5, pages * 5 + 1);
      if (id !== undefined) await record(registry, evicted(id));
    };
    expect((await allPages(lineagesOf(registry, true), leave)).flat()).toEqual(IDS);
  });

  it.each(['', 'a b', 'a'.repeat(129), 1, null])('no lineage is behind %p', async (after) => {
    const refusal = await new AskedRegistry().refusal('listLineages', { ...KEY, after });
    expect(refusal).toMatchObject({ code: 'validation_error' });
  });

  it.each(['', 'a'.repeat(1025), 1, null])('no path is behind %p', async (after) => {
    const refusal = await new AskedRegistry().refusal('ownedPaths', { ...KEY, after });
    expect(refusal).toMatchObject({ code: 'validation_error' });
  });
});

it('events are told in pages that the bus carries', async () => {
  const registry = await full();
  const pages = await allPages(async (after) => {
    const answer = await registry.ask('workgroupEvents', { ...KEY, after: after ?? -1, limit: 500 });
    requireBounded(answer);
    const { events, next } = workgroupEventsSchema.parse(answer);
    return { items: events.map(({ sequence }) => sequence), next };
  });
  expect(pages.flat()).toEqual(Array.from({ length: MOST_LINEAGES + 1 }, (_, sequence) => sequence));
  expect(pages.length).toBeGreaterThan(2);
});

it('delegations are told in pages that the bus carries', async () => {
  const registry = new AskedWorkgroup();
  const names = Array.from({ length: 40 }, (_, place) => `d-${place}`);
  const [sample] = oneOfEach.filter(({ type }) => type === 'palimpsest.delegation.recorded');
  const delegated = (name: string): WorkgroupEvent[] =>
    sample?.type === 'palimpsest.delegation.recorded'
      ? [
          {
            ...sample,
            payload: { ...sample.payload, delegationId: name, ownedPaths: [...longestPaths(name)] },
          },
        ]
      : [];
  await registry.store.decide(DELEGATED_IN, () => ({
    events: [
      opened,
      ...names.flatMap((name, place) => [...delegated(name), registered(`l-${place}`, place + 1)]),
    ],
    answer: {},
  }));
  const pages = await allPages(async (after) => {
    const answer = await registry.ask('listDelegations', { ...DELEGATED_IN, after: after ?? -1, limit: 500 });
    requireBounded(answer as object);
    const { delegations, next } = delegationListSchema.parse(answer);
    return { items: delegations.map(({ delegationId }) => delegationId), next };
  });
  expect(pages.flat()).toEqual(names);
  expect(pages.length).toBeGreaterThan(2);
});
