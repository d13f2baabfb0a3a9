import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { JobPlaces, LONG_MS } from './job-places.js';

let begun: string[];
let ends: Map<string, () => void>;
let timers: Map<number, () => void>;
let started: number;

beforeEach(() => {
  begun = [];
  ends = new Map();
  timers = new Map();
  started = 0;
});

function placesFor(count: number): JobPlaces {
  return new JobPlaces(count, (milliseconds, act) => {
    expect(milliseconds).toBe(LONG_MS);
    const name = (started += 1);
    timers.set(name, act);
    return () => timers.delete(name);
  });
}

/** Work that ends when it is told to. */
function begin(places: JobPlaces, ...names: readonly string[]): void {
  for (const name of names) {
    const work = () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    };
    void places.within(work);
  }
}

async function end(name: string): Promise<void> {
  ends.get(name)?.();
  await turnOfTheLoop();
}

/** All that is at work has taken long. */
async function timePasses(): Promise<void> {
  await turnOfTheLoop();
  for (const act of [...timers.values()]) act();
  await turnOfTheLoop();
}

describe('places for jobs', () => {
  it('are taken in order, and by no more than there are', async () => {
    begin(placesFor(2), 'a', 'b', 'c', 'd');
    await turnOfTheLoop();
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('are given up by work that takes long, and only once', async () => {
    const places = placesFor(1);
    begin(places, 'slow', 'next');
    await timePasses();
    expect(begun).toEqual(['slow', 'next']);
    await end('slow');
    begin(places, 'later');
    await turnOfTheLoop();
    expect(begun).not.toContain('later');
    await end('next');
    expect(begun).toContain('later');
  });

  it('are free again at the end of work, and no timer is left of it', async () => {
    const places = placesFor(1);
    begin(places, 'a');
    await turnOfTheLoop();
    await end('a');
    expect(timers.size).toBe(0);
    begin(places, 'b', 'c');
    await turnOfTheLoop();
    expect(begun).toEqual(['a', 'b']);
  });

  it('are given back by work that fails, which tells its caller', async () => {
    const places = placesFor(1);
    await expect(places.within(() => Promise.reject(new TypeError('lost')))).rejects.toThrow('lost');
    begin(places, 'next');
    await turnOfTheLoop();
    expect(begun).toEqual(['next']);
  });
});
