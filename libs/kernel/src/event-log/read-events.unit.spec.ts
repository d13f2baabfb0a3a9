import type { RecordedEvent } from '@palimpsest/contracts';
import type { EventPage, ReadRunRequest } from '../ports/event-log.js';
import { eventPages, readEvents, type EventRange } from './read-events.js';

const RUN = { tenantId: 'acme', runId: 'run-1' };

/** A log of numbered events, every third of type `third`, whose pages end after a few. */
class NumberedLog {
  readonly reads: ReadRunRequest[] = [];

  constructor(
    private count: number,
    private readonly perPage = 4,
  ) {}

  readRun(request: ReadRunRequest): Promise<EventPage> {
    this.reads.push(request);
    const { fromSequence, backwards, types, limit = 500 } = request;
    const events = Array.from({ length: this.count }, (_, sequence) => ({
      sequence,
      type: sequence % 3 === 0 ? 'third' : 'other',
    }));
    const wanted = events.filter(
      ({ sequence, type }) =>
        (backwards ? sequence <= fromSequence : sequence >= fromSequence) && (types?.includes(type) ?? true),
    );
    const ordered = backwards ? wanted.reverse() : wanted;
    const size = Math.min(limit, this.perPage);
    const next = ordered[size]?.sequence;
    const page = ordered.slice(0, size) as unknown as RecordedEvent[];
    return Promise.resolve({ events: page, ...(next !== undefined && { next }) });
  }

  grow(): void {
    this.count += 1;
  }
}

async function read(log: NumberedLog, range: Omit<EventRange, 'tenantId' | 'runId'>): Promise<number[]> {
  const found: number[] = [];
  for await (const { sequence } of readEvents(log, { ...RUN, ...range })) found.push(sequence);
  return found;
}

describe('reading the events of a range', () => {
  it.each<[string, Omit<EventRange, 'tenantId' | 'runId'>, number[], number]>([
    ['with both its ends', { from: 2, to: 8 }, [2, 3, 4, 5, 6, 7, 8], 2],
    ['newest first', { from: 2, to: 8, backwards: true }, [8, 7, 6, 5, 4, 3, 2], 2],
    ['of one type', { from: 1, to: 17, types: ['third'] }, [3, 6, 9, 12, 15], 2],
    [
      'of one type, newest first',
      { from: 1, to: 17, types: ['third'], backwards: true },
      [15, 12, 9, 6, 3],
      2,
    ],
    ['of one type, up to between two of them', { from: 4, to: 8, types: ['third'] }, [6], 1],
    ['that is one event', { from: 5, to: 5 }, [5], 1],
    ['that is empty', { from: 5, to: 4 }, [], 0],
    ['that is empty, newest first', { from: 0, to: -1, backwards: true }, [], 0],
    ['beyond the end of the log', { from: 18, to: 30 }, [18, 19], 1],
    ['without an end', { from: 13, to: Infinity }, [13, 14, 15, 16, 17, 18, 19], 2],
  ])('gives those %s', async (_, range, sequences, reads) => {
    const log = new NumberedLog(20);
    expect(await read(log, range)).toEqual(sequences);
    expect(log.reads).toHaveLength(reads);
  });

  it('asks for no more than is wanted, nor than a page holds', async () => {
    const log = new NumberedLog(600, 500);
    await read(log, { from: 10, to: 511, withChain: true });
    expect(log.reads).toEqual([
      { ...RUN, fromSequence: 10, limit: 500, withChain: true },
      { ...RUN, fromSequence: 510, limit: 2, withChain: true },
    ]);
  });

  it('ends where it was to, though the log grows meanwhile', async () => {
    const log = new NumberedLog(8);
    const found: number[] = [];
    for await (const { sequence } of readEvents(log, { ...RUN, from: 0, to: 7 })) {
      log.grow();
      found.push(sequence);
    }
    expect(found).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('gives no page without events', async () => {
    for await (const page of eventPages(new NumberedLog(3), { ...RUN, from: 4, to: 9 }))
      expect(page).toBe('none');
    const pages: number[] = [];
    for await (const page of eventPages(new NumberedLog(9), { ...RUN, from: 0, to: 8 }))
      pages.push(page.length);
    expect(pages).toEqual([4, 4, 1]);
  });
});
