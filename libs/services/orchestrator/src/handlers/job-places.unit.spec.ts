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

/** Nothing here waits for more than promises that are settled. */
async function allIsQuiet(): Promise<void> {
  for (let left = 20; left > 0; left -= 1) await Promise.resolve();
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
  await allIsQuiet();
}

/** All that is at work has taken long. */
async function timePasses(): Promise<void> {
  await allIsQuiet();
  for (const act of [...timers.values()]) act();
  await allIsQuiet();
}

describe('places for jobs', () => {
  it('are taken in order, and by no more than there are', async () => {
    begin(placesFor(2), 'a', 'b', 'c', 'd');
    await allIsQuiet();
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
    await allIsQuiet();
    expect(begun).not.toContain('later');
    await end('next');
    expect(begun).toContain('later');
  });

  it('are free again at the end of work, and no timer is left of it', async () => {
    const places = placesFor(1);
    begin(places, 'a');
    await allIsQuiet();
    await end('a');
    expect(timers.size).toBe(0);
    begin(places, 'b', 'c');
    await allIsQuiet();
    expect(begun).toEqual(['a', 'b']);
  });

  it('are given back by work that fails, which tells its caller', async () => {
    const places = placesFor(1);
    await expect(places.within(() => Promise.reject(new TypeError('lost')))).rejects.toThrow('lost');
    begin(places, 'next');
    await allIsQuiet();
    expect(begun).toEqual(['next']);
  });
});
