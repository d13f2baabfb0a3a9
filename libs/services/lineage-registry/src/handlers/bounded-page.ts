import type { WorkgroupStore } from '../store/workgroup-store.js';
import type { RecordedWorkgroupEvent } from '../domain/workgroup/workgroup-events.js';

/** Of one answer, in bytes of UTF-8: half of what the bus carries. */
export const PAGE_BYTES = 512 * 1024;
/** For what stands around the items: the workgroup's name, and the place to go on behind. */
const AROUND_BYTES = 8 * 1024;
/** Of the largest events as many as one query may bring. */
const EVENTS_AT_ONCE = 64;

export type BoundedPage<Item> = { readonly items: readonly Item[]; readonly hasMore: boolean };

/** As many of the first items as one answer holds, and the first in any case: each is a good deal smaller than that. */
export function boundedPage<Item extends object>(items: readonly Item[]): BoundedPage<Item> {
  let left = PAGE_BYTES - AROUND_BYTES;
  const beyond = items.findIndex((item) => (left -= bytesOf(item)) < 0);
  const count = beyond < 0 ? items.length : Math.max(beyond, 1);
  return { items: items.slice(0, count), hasMore: count < items.length };
}

type EventsAsked = Parameters<WorkgroupStore['events']>[0];

/**
 * The first events behind `after` as they are shown: at most `limit`, and as many as one answer holds. They are read in
 * parts, so that a page of large ones does not bring in all that it leaves out.
 */
export async function boundedEvents<View extends object>(
  store: Pick<WorkgroupStore, 'events'>,
  { limit, ...asked }: EventsAsked,
  viewsOf: (event: RecordedWorkgroupEvent) => readonly View[],
): Promise<BoundedPage<View>> {
  const views: View[] = [];
  let { after } = asked;
  for (;;) {
    const wanted = Math.min(limit + 1 - views.length, EVENTS_AT_ONCE);
    const part = await store.events({ ...asked, after, limit: wanted });
    views.push(...part.flatMap(viewsOf));
    const page = boundedPage(views);
    const items = page.items.slice(0, limit);
    const last = part.at(-1);
    if (page.hasMore || views.length > limit) return { items, hasMore: true };
    if (part.length < wanted || !last) return { items, hasMore: false };
    after = last.sequence;
  }
}

/** With the comma. */
function bytesOf(item: object): number {
  return Buffer.byteLength(JSON.stringify(item)) + 1;
}
