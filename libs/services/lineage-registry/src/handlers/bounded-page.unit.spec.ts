import type { RecordedWorkgroupEvent } from '../domain/workgroup/workgroup-events.js';
import type { EventPage } from '../store/workgroup-store.js';
import { boundedEvents, boundedPage, PAGE_BYTES } from './bounded-page.js';

/** What stands around the items. */
const ITEMS_BYTES = PAGE_BYTES - 8192;
/** So many bytes with the comma. */
const item = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""},'.length) });

describe('a page', () => {
  it.each([
    [-1, 2],
    [0, 2],
    [1, 1],
  ])('holds what fits: %i bytes beyond it', (beyond, count) => {
    const items = [item(1000), item(ITEMS_BYTES - 1000 + beyond)];
    expect(boundedPage(items)).toEqual({ items: items.slice(0, count), hasMore: count < 2 });
  });

  it('counts bytes, not letters', () => {
    const items = [{ a: '\u{20ac}'.repeat(ITEMS_BYTES / 4) }, { a: '\u{20ac}'.repeat(ITEMS_BYTES / 4) }];
    expect(boundedPage(items)).toEqual({ items: items.slice(0, 1), hasMore: true });
  });

  it('holds one in any case, and none of none', () => {
    const items = [item(ITEMS_BYTES + 1), item(10)];
    expect(boundedPage(items)).toEqual({ items: items.slice(0, 1), hasMore: true });
    expect(boundedPage(items.slice(0, 1))).toEqual({ items: items.slice(0, 1), hasMore: false });
    expect(boundedPage([])).toEqual({ items: [], hasMore: false });
  });
});

describe('a page of events', () => {
  const paged = (count: number, bytes = 10) => {
    const asked: number[] = [];
    const events = async ({ after, limit }: EventPage): Promise<readonly RecordedWorkgroupEvent[]> => {
      asked.push(limit);
      const all = Array.from({ length: count }, (_, sequence) => ({ sequence }) as RecordedWorkgroupEvent);
      return all.filter(({ sequence }) => sequence > after).slice(0, limit);
    };
    const page = async (limit: number, after = -1) => {
      const of = { tenantId: 'acme', workgroupId: 'wg', after, limit };
      const { items, hasMore } = await boundedEvents({ events }, of, ({ sequence }) => [
        { sequence, a: 'x'.repeat(bytes) },
      ]);
      return [items.map(({ sequence }) => sequence), hasMore] as const;
    };
    return { page, asked };
  };
  const upTo = (count: number, from = 0) => Array.from({ length: count - from }, (_, place) => from + place);

  it.each([1, 2, 62, 63, 64, 65, 126, 127, 128, 129, 500])('has as many as it may: %i', async (limit) => {
    for (const count of [limit - 1, limit, limit + 1]) {
      const few = Math.min(limit, count);
      expect(await paged(count).page(limit)).toEqual([upTo(few), count > limit]);
    }
  });

  it('goes on behind a place', async () => {
    expect(await paged(200).page(100, 49)).toEqual([upTo(150, 50), true]);
    expect(await paged(200).page(150, 49)).toEqual([upTo(200, 50), false]);
  });

  it('of large ones brings in one part of them only', async () => {
    const { page, asked } = paged(500, 100_000);
    expect(await page(500)).toEqual([upTo(5), true]);
    expect(asked).toEqual([64]);
  });
});
